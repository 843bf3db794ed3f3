package dev.dormouse.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
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
            group by owner
            """;

    @TempDir
    Path directory;

    @Test
    void limitOfFiveOverThreeNodesHoldsAndTheRoomOfDeadNodesIsFreeAgain() throws InterruptedException {
        try (Scene scene = Scene.onPostgres(directory)) {
            String[] settings = {"queueTotal=5", "lease=2000", "sweep=500"};
            Child one = scene.worker(settings);
            Child two = scene.worker(settings);
            Child three = scene.worker(settings);
            AtomicBoolean over = new AtomicBoolean();
            AtomicLong most = new AtomicLong();
            Thread watcher = new Thread(() -> {
                while (!over.get()) {
                    most.accumulateAndGet(
                            leases(scene).stream().mapToLong(Long::longValue).sum(), Math::max);
                }
            });
            watcher.setDaemon(true);
            watcher.start();
            try {
                one.order("queued job- 150 work:300");
                await(() -> leases(scene).size() > 1);
                long killed = two.kill();
                three.kill();
                await(() -> leases(scene).equals(List.of(5L))); // all of them are the survivor's
                Figures.report(
                        "room of two dead nodes free after %s, lease 2 s", Figures.of(System.nanoTime() - killed));
                await(() -> scene.database().statuses().equals(Map.of(RunStatus.COMPLETED, 150L)));
            } finally {
                over.set(true);
                watcher.join();
            }
            assertThat(most.get()).isEqualTo(5);
        }
    }

    /** How many live leases each node has. */
    private static List<Long> leases(Scene scene) {
        return scene.database().select(LIVE_LEASES, row -> row.getLong(1));
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofMillis(20))
                .until(condition);
    }

    @Test
    void rateOfAHundredPerSecondIsNeverExceeded() {
        try (Scene scene = Scene.onPostgres(directory)) {
            String[] settings = {"queueRate=100", "lease=5000", "sweep=1000"};
            Child one = scene.worker(settings);
            scene.worker(settings);
            scene.worker(settings);
            one.order("queued job- 1300 work:1");
            await(() -> scene.database().statuses().equals(Map.of(RunStatus.COMPLETED, 1300L)));
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
            assertThat(inTenSeconds)
                    .isBetween(500L, 1020L); // a busy machine is late, and what is lost is not made up for
        }
    }
}
