package dev.dormouse.chaos.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.cluster.Measurements;
import dev.dormouse.chaos.process.WorkerHandle;
import dev.dormouse.chaos.workload.JournalEntry;
import dev.dormouse.inspect.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Queue limits across three nodes. */
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
    void limitOfFiveOverThreeNodesHoldsAndSlotsOfDeadNodesAreFreed() throws InterruptedException {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            String[] settings = {"queueTotal=5", "lease=2000", "sweep=500"};
            WorkerHandle one = cluster.worker(settings);
            WorkerHandle two = cluster.worker(settings);
            WorkerHandle three = cluster.worker(settings);
            AtomicBoolean over = new AtomicBoolean();
            AtomicLong most = new AtomicLong();
            Thread watcher = new Thread(() -> {
                while (!over.get()) {
                    most.accumulateAndGet(
                            leases(cluster).stream().mapToLong(Long::longValue).sum(), Math::max);
                    LockSupport.parkNanos(5_000_000); // a job holds its lease for 300 ms
                }
            });
            watcher.setDaemon(true);
            watcher.start();
            try {
                one.order("queued job- 150 work:300");
                await(() -> leases(cluster).size() > 1);
                long killed = two.kill();
                three.kill();
                await(() -> leases(cluster).equals(List.of(5L))); // all of them belong to the survivor
                Measurements.report(
                        "room of two dead nodes free after %s, lease 2 s", Measurements.of(System.nanoTime() - killed));
                await(() -> cluster.database().statuses().equals(Map.of(RunStatus.COMPLETED, 150L)));
            } finally {
                over.set(true);
                watcher.join();
            }
            assertThat(most.get()).isEqualTo(5);
        }
    }

    /** Returns the number of live leases of each node. */
    private static List<Long> leases(ChaosCluster cluster) {
        return cluster.database().select(LIVE_LEASES, row -> row.getLong(1));
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofMillis(20))
                .until(condition);
    }

    @Test
    void rateOfAHundredPerSecondIsNeverExceeded() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            String[] settings = {"queueRate=100", "lease=5000", "sweep=1000"};
            WorkerHandle one = cluster.worker(settings);
            cluster.worker(settings);
            cluster.worker(settings);
            one.order("queued job- 1300 work:1");
            await(() -> cluster.database().statuses().equals(Map.of(RunStatus.COMPLETED, 1300L)));
            List<Long> begun = cluster.journal().entries(JournalEntry.Kind.BEGAN).stream()
                    .map(JournalEntry::nanos)
                    .sorted()
                    .toList();
            long from = begun.get(100);
            long inTenSeconds = begun.stream()
                    .filter(at ->
                            at >= from && at < from + Duration.ofSeconds(10).toNanos())
                    .count();
            Measurements.report("%s began in 10 s at a rate of 100 a second", inTenSeconds);
            assertThat(inTenSeconds)
                    .isBetween(500L, 1020L); // a busy machine is late, and a lost slot is not made up for
        }
    }
}
