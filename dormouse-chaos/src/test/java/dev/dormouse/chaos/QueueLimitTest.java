package dev.dormouse.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Queues over three real nodes. */
@ExtendWith(LogOnFailure.class)
class QueueLimitTest {
    private static final String LIVE_LEASES = """
            select count(*)
            from ${prefix}run
            where queue = 'q' and lease <> 0
              and wake_at > (extract(epoch from clock_timestamp()) * 1000000)::bigint
            """;

    @TempDir
    Path directory;

    @Test
    void limitOfFiveOverThreeNodesHoldsAlsoWhenOneIsKilled() throws InterruptedException {
        try (Scene scene = Scene.onPostgres(directory)) {
            String[] settings = {"queueTotal=5", "lease=2000", "sweep=500"};
            Child one = scene.worker(settings);
            Child two = scene.worker(settings);
            scene.worker(settings);
            AtomicBoolean over = new AtomicBoolean();
            AtomicLong looks = new AtomicLong();
            AtomicLong most = new AtomicLong();
            Thread watcher = new Thread(() -> {
                while (!over.get()) {
                    long now = scene.database()
                            .select(LIVE_LEASES, row -> row.getLong(1))
                            .get(0);
                    most.accumulateAndGet(now, Math::max);
                    looks.incrementAndGet();
                }
            });
            watcher.start();
            one.order("queued job- 60 work:300");
            awaitCompleted(scene, 10);
            long killed = two.kill();
            awaitCompleted(scene, 60);
            over.set(true);
            watcher.join();

            Figures.report("live leases at most %s in %s looks", most, looks);
            assertThat(most.get()).isEqualTo(5);
            assertThat(pauseAfter(scene, killed)).isLessThan(Duration.ofSeconds(4));
        }
    }

    private static void awaitCompleted(Scene scene, long runs) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> scene.database().statuses().getOrDefault(RunStatus.COMPLETED, 0L) >= runs);
    }

    /** The longest time after an instant in which no step began. */
    private static Duration pauseAfter(Scene scene, long nanos) {
        long last = nanos;
        long longest = 0;
        for (Deed deed : scene.journal().deeds(Deed.Kind.BEGAN)) {
            if (deed.nanos() > last) {
                longest = Math.max(longest, deed.nanos() - last);
                last = deed.nanos();
            }
        }
        return Duration.ofNanos(longest);
    }

    @Test
    void rateOfAHundredPerSecondHoldsWithinTwoPercent() {
        try (Scene scene = Scene.onPostgres(directory)) {
            String[] settings = {"queueRate=100", "lease=5000", "sweep=1000"};
            Child one = scene.worker(settings);
            scene.worker(settings);
            scene.worker(settings);
            one.order("queued job- 1300 work:1");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(90))
                    .pollInterval(Duration.ofMillis(200))
                    .until(() -> scene.database().statuses().equals(Map.of(RunStatus.COMPLETED, 1300L)));
            List<Long> begun = scene.journal().deeds(Deed.Kind.BEGAN).stream()
                    .map(Deed::nanos)
                    .sorted()
                    .toList();
            long from = begun.get(100);
            long inTenSeconds = begun.stream()
                    .filter(at ->
                            at >= from && at < from + Duration.ofSeconds(10).toNanos())
                    .count();
            Figures.report("%s began in 10 s at a rate of 100 a second", inTenSeconds);
            assertThat(inTenSeconds).isBetween(980L, 1020L);
        }
    }
}
