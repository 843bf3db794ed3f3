package dev.dormouse.examples.cron;

import dev.dormouse.Dormouse;
import dev.dormouse.schedule.Cron;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.CountDownLatch;

/** A program that cleans every second, two times. Argument: the store. */
public final class CleanupExample {
    private CleanupExample() {}

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch runs = new CountDownLatch(2);
        try (Dormouse dormouse = Dormouse.builder()
                .store(args.length > 0 ? args[0] : "sqlite::memory:")
                .workflow(Cleanup.class, CleanupWorkflow::new)
                .activities(Disk.class, (folder, instant) -> delete(folder, instant, runs))
                .open()) {
            CleanupSchedule.set(dormouse, Cron.of("* * * * * *").inZone(ZoneOffset.UTC)); // with seconds
            runs.await();
            dormouse.schedules().delete(CleanupSchedule.ID);
        }
    }

    private static int delete(String folder, Instant instant, CountDownLatch runs) {
        System.out.println("Deleted the files in " + folder + " before " + instant + ".");
        runs.countDown();
        return 1;
    }
}
