package dev.dormouse.examples.ratelimit;

import dev.dormouse.Dormouse;
import dev.dormouse.QueueOptions;
import dev.dormouse.WorkflowHandle;
import java.time.Duration;

/** Ada has twenty requests, Bob has one; each may send ten per second. Argument: the store. */
public final class SyncExample {
    private SyncExample() {}

    public static void main(String[] args) {
        try (Dormouse dormouse = Dormouse.builder()
                .store(args.length > 0 ? args[0] : "sqlite::memory:")
                .workflow(Sync.class, SyncWorkflow::new)
                .activities(Service.class, SyncExample::send)
                .queue(SyncWorkflow.QUEUE, QueueOptions.DEFAULT.withRatePerKey(10, Duration.ofSeconds(1)))
                .open()) {
            Sync ada = dormouse.workflow(Sync.class, "sync-ada");
            Sync bob = dormouse.workflow(Sync.class, "sync-bob");
            WorkflowHandle<Integer> many = dormouse.start(() -> ada.sync("ada", 20));
            System.out.println("Bob has sent " + bob.sync("bob", 1) + ".");
            System.out.println("Ada has sent " + many.result() + ".");
        }
    }

    private static String send(String customer, int request) {
        System.out.println("Request " + request + " of " + customer + ".");
        return "ok";
    }
}
