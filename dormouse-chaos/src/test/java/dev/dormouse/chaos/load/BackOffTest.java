package dev.dormouse.chaos.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.cluster.Measurements;
import dev.dormouse.chaos.process.WorkerHandle;
import dev.dormouse.chaos.process.WorkerUsage;
import dev.dormouse.chaos.workload.JournalEntry;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The cost of many failed activities that wait an hour for their retry: of ten thousand with {@code -Plong}. */
@ExtendWith(LogOnFailure.class)
class BackOffTest {
    private static final int WARM_UP = 1_000;
    private static final int SOME = 4_000;
    private static final int MANY = 10_000;
    private static final int SOON = 200;
    private static final int SOON_MILLIS = 12_000;
    private static final String[] SETTINGS = {
        "code=steps", "maxExecuting=50", "maxParked=50", "lease=3000", "sweep=2000"
    };

    @TempDir
    Path directory;

    @Test
    void activitiesInBackOffOnSqliteHoldNoThread() {
        playOnSqlite(SOME);
    }

    @Test
    void activitiesInBackOffOnPostgresHoldNoThread() {
        playOnPostgres(SOME);
    }

    @Test
    @Tag("long")
    void manyActivitiesInBackOffOnSqliteHoldNoThread() {
        playOnSqlite(MANY);
    }

    @Test
    @Tag("long")
    void manyActivitiesInBackOffOnPostgresHoldNoThread() {
        playOnPostgres(MANY);
    }

    private void playOnSqlite(int activities) {
        try (ChaosCluster cluster = ChaosCluster.onSqlite(directory)) {
            backOff(cluster, activities);
        }
    }

    private void playOnPostgres(int activities) {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            backOff(cluster, activities);
        }
    }

    private static void backOff(ChaosCluster cluster, int activities) {
        WorkerHandle worker = cluster.worker(SETTINGS);
        worker.order("several task early- " + WARM_UP + " fail:3600000");
        awaitBackOff(cluster, WARM_UP);
        WorkerUsage before = WorkerUsage.of(worker);
        worker.order("several task hour- " + activities + " fail:3600000");
        awaitBackOff(cluster, WARM_UP + activities);
        WorkerUsage after = WorkerUsage.of(worker);
        double perRun = (after.heap() - before.heap()) / (double) activities;
        Measurements.report(
                "%,d activities in back-off on %s: %.1f bytes of heap each, threads %d before and %d after, most %d",
                activities,
                cluster.isPostgres() ? "PostgreSQL" : "SQLite",
                perRun,
                before.threads(),
                after.threads(),
                after.mostThreads());
        assertThat(perRun).isLessThan(300);
        assertThat(after.threads()).isLessThanOrEqualTo(before.threads() + 10);
        assertThat(after.mostThreads()).isLessThan(500);
        assertSomeContinueAmongThem(cluster, worker, activities);
    }

    /** Some retries become due while no process runs, among the others. */
    private static void assertSomeContinueAmongThem(ChaosCluster cluster, WorkerHandle worker, int activities) {
        worker.order("several task soon- " + SOON + " fail:" + SOON_MILLIS);
        awaitBackOff(cluster, WARM_UP + activities + SOON);
        worker.kill();
        cluster.worker(SETTINGS);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(cluster.database().statuses())
                        .isEqualTo(Map.of(
                                RunStatus.WAITING, (long) WARM_UP + activities, RunStatus.COMPLETED, (long) SOON)));
        long latest = 0;
        for (List<JournalEntry> deeds : attempts(cluster).values()) {
            assertThat(deeds).extracting(JournalEntry::name).containsExactly("fail-1", "fail-2");
            Duration waited = Duration.between(deeds.get(0).at(), deeds.get(1).at());
            assertThat(waited).isGreaterThanOrEqualTo(Duration.ofMillis(SOON_MILLIS));
            latest = Math.max(latest, waited.toNanos() - SOON_MILLIS * 1_000_000L);
        }
        Measurements.report("%d of them continued after a kill, the last %s late", SOON, Measurements.of(latest));
    }

    private static Map<String, List<JournalEntry>> attempts(ChaosCluster cluster) {
        Map<String, List<JournalEntry>> attempts = cluster
                .journal()
                .entries(entry -> entry.workflowId().startsWith("soon-") && entry.kind() == JournalEntry.Kind.BEGAN)
                .stream()
                .collect(Collectors.groupingBy(JournalEntry::workflowId));
        assertThat(attempts).hasSize(SOON);
        return attempts;
    }

    private static void awaitBackOff(ChaosCluster cluster, int number) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(() -> {
                    assertThat(cluster.database().statuses()).isEqualTo(Map.of(RunStatus.WAITING, (long) number));
                    assertThat(reasons(cluster)).containsExactly(WakeReason.RETRY);
                });
    }

    private static List<WakeReason> reasons(ChaosCluster cluster) {
        return cluster.database()
                .select("select distinct wake_reason from ${prefix}run", row -> WakeReason.of(row.getInt(1)));
    }
}
