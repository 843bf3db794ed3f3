package dev.dormouse.chaos.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.chaos.cluster.BookingTables;
import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.cluster.Measurements;
import dev.dormouse.chaos.process.WorkerHandle;
import dev.dormouse.chaos.workload.JournalEntry;
import dev.dormouse.inspect.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Processes that crash repeatedly for a reason of their own, beside innocent runs. */
@ExtendWith(LogOnFailure.class)
class CrashLoopTest {
    private static final long RUNS = 200;
    private static final long TIMERS = 200;
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration MARGIN = Duration.ofSeconds(10); // a busy machine needs seconds to start a process

    @TempDir
    Path directory;

    @Test
    void runsAndTimersOnSqliteEndOnAHealthyNode() {
        try (ChaosCluster cluster = ChaosCluster.onSqlite(directory)) {
            loop(cluster, 5);
        }
    }

    @Test
    void runsAndTimersOnPostgresEndOnAHealthyNode() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            loop(cluster, 5);
        }
    }

    @Test
    @Tag("long")
    void runsAndTimersOnSqliteEndAfterTwentyCrashes() {
        try (ChaosCluster cluster = ChaosCluster.onSqlite(directory)) {
            loop(cluster, 20);
        }
    }

    @Test
    @Tag("long")
    void runsAndTimersOnPostgresEndAfterTwentyCrashes() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            loop(cluster, 20);
        }
    }

    /**
     * With the default lease: runs and timers become due while processes open and die; then a process opens that
     * survives.
     */
    private void loop(ChaosCluster cluster, int crashes) {
        BookingTables.create(cluster);
        WorkerHandle first = cluster.worker("code=script+timers");
        first.order("later run- " + RUNS + " 3000 10 a:20");
        first.order("timers write timer- " + TIMERS + " 3000");
        first.kill();
        for (int i = 0; i < crashes; i++) {
            cluster.launch("code=script+timers", "dieAfter=20").awaitEnd();
        }
        long died = System.nanoTime();
        cluster.worker("code=script+timers");
        Awaitility.await()
                .atMost(LEASE.plus(MARGIN))
                .pollInterval(Duration.ofMillis(100))
                .untilAsserted(() -> assertThat(cluster.database().statuses())
                        .isEqualTo(Map.of(RunStatus.COMPLETED, RUNS + TIMERS)));
        Measurements.report(
                "after %d crashes right after opening, %d runs and timers ended within %s",
                crashes, RUNS + TIMERS, Measurements.of(System.nanoTime() - died));
    }

    /** Three nodes with a thousand long steps; two of the nodes are killed, and their successors too. */
    @Test
    @Tag("long")
    void thousandLongStepsExecuteAgainWithinTwoLeasesAfterTwoNodesWereKilledTwice() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            String[] settings = {"maxExecuting=1000"};
            WorkerHandle survivor =
                    cluster.worker("maxExecuting=400"); // most of the runs that the others lose go to their successors
            String living = cluster.onlyNode();
            List<WorkerHandle> victims = new ArrayList<>(List.of(cluster.worker(settings), cluster.worker(settings)));
            int each = 334;
            survivor.order("many a- " + each + " slow:180000 b:1");
            victims.get(0).order("many b- " + each + " slow:180000 b:1");
            victims.get(1).order("many c- " + each + " slow:180000 b:1");
            awaitBegun(cluster, 3L * each);
            victims.forEach(WorkerHandle::kill);
            victims.replaceAll(dead -> cluster.worker(settings));
            awaitBegun(cluster, 5L * each);
            long lost = executingElsewhere(cluster, living);
            assertThat(lost).as("runs that executed on the successors").isGreaterThan(each);
            victims.forEach(WorkerHandle::kill);
            long killed = System.nanoTime();
            cluster.worker(settings);
            cluster.worker(settings);
            awaitBegun(cluster, 5L * each + lost);
            Duration took = Duration.ofNanos(System.nanoTime() - killed);
            Measurements.report(
                    "%d long steps executed again within %s after the second kill of two of three nodes",
                    lost, Measurements.of(took.toNanos()));
            assertThat(took).isLessThan(LEASE.multipliedBy(2).plus(MARGIN));
            assertThat(cluster.database().statuses()).isEqualTo(Map.of(RunStatus.RUNNING, 3L * each));
        }
    }

    private static void awaitBegun(ChaosCluster cluster, long steps) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofMillis(200))
                .until(() -> cluster.journal()
                                .entries(entry -> entry.kind() == JournalEntry.Kind.BEGAN)
                                .size()
                        >= steps);
    }

    private static long executingElsewhere(ChaosCluster cluster, String node) {
        return cluster.database()
                .select(
                        "select count(*) from ${prefix}run where status = 1 and owner <> '" + node + "'",
                        row -> row.getLong(1))
                .get(0);
    }
}
