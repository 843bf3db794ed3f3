package dev.dormouse.chaos.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.cluster.Measurements;
import dev.dormouse.chaos.process.WorkerHandle;
import dev.dormouse.chaos.workload.JournalEntry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** An activity is retried after kill -9, as its next attempt and from its last heartbeat. */
@ExtendWith(LogOnFailure.class)
class ActivityKillTest {
    private static final String[] SETTINGS = {"code=steps", "lease=2000", "sweep=500", "parkGrace=500"};

    /** Heartbeats are stored once a second; the rest is a margin for a busy machine. */
    private static final Duration LOST_AT_MOST = Duration.ofMillis(2_500);

    @TempDir
    Path directory;

    @Test
    void activityOnSqliteRunsAgainAfterARestart() {
        try (ChaosCluster cluster = ChaosCluster.onSqlite(directory)) {
            killDuringWork(cluster);
        }
    }

    @Test
    void activityOnPostgresRunsAgainOnAnotherNode() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            killDuringWork(cluster);
        }
    }

    @Test
    void activityThatDiesTwiceIsInItsThirdAttempt() {
        try (ChaosCluster cluster = ChaosCluster.onSqlite(directory)) {
            WorkerHandle victim = cluster.worker(SETTINGS);
            victim.order("one task twice work:1500");
            awaitDeed(cluster, "work-1");
            victim.kill();
            victim = cluster.worker(SETTINGS);
            awaitDeed(cluster, "work-2");
            victim.kill();
            assertThat(cluster.worker(SETTINGS).ask("end twice")).isEqualTo("attempt 3");
            assertThat(begun(cluster, "twice")).containsExactly("work-1", "work-2", "work-3");
        }
    }

    @Test
    void heartbeatOnSqliteSurvivesTheKillOfItsNode() {
        try (ChaosCluster cluster = ChaosCluster.onSqlite(directory)) {
            killDuringCount(cluster);
        }
    }

    @Test
    void heartbeatOnPostgresSurvivesTheKillOfItsNode() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            killDuringCount(cluster);
        }
    }

    private static void killDuringWork(ChaosCluster cluster) {
        WorkerHandle victim = cluster.worker(SETTINGS);
        victim.order("one task done work:1");
        assertThat(victim.ask("end done")).isEqualTo("attempt 1");
        victim.order("one task busy work:2000");
        await(() -> !begun(cluster, "busy").isEmpty());
        long killed = victim.kill();
        WorkerHandle other = cluster.worker(SETTINGS);
        assertThat(other.ask("end busy")).isEqualTo("attempt 2");
        assertThat(begun(cluster, "busy")).containsExactly("work-1", "work-2");
        assertThat(begun(cluster, "done")).containsExactly("work-1");
        JournalEntry again = cluster.journal()
                .entries(entry -> entry.name().equals("work-2"))
                .get(0);
        assertThat(again.pid()).isEqualTo(other.pid());
        Measurements.report(
                "an activity ran again %s after its process was killed", Measurements.of(again.nanos() - killed));
    }

    private static void killDuringCount(ChaosCluster cluster) {
        WorkerHandle victim = cluster.worker(SETTINGS);
        victim.order("one task count count:300:20");
        awaitDeed(cluster, "at-150");
        assertThat(victim.ask("step count")).contains("TestActivities.count", "attempt=1", "progress=Optional[");
        long killed = victim.kill();
        WorkerHandle other = cluster.worker(SETTINGS);
        assertThat(other.ask("end count")).isEqualTo("attempt 2");

        List<JournalEntry> from = cluster.journal().entries(JournalEntry.Kind.WOKE);
        assertThat(from).hasSize(2);
        assertThat(from.get(0).name()).isEqualTo("at-0");
        JournalEntry known = said(cluster, from.get(1).name());
        long last = cluster.journal()
                .entries(entry -> entry.kind() == JournalEntry.Kind.ENDED && entry.pid() == victim.pid())
                .size();
        Measurements.report(
                "an activity was killed at %d of 300 and went on from %s, which it had said %s before",
                last, known.name(), Measurements.of(killed - known.nanos()));
        assertThat(Duration.ofNanos(killed - known.nanos())).isLessThan(LOST_AT_MOST);
        assertThat(known.pid()).isEqualTo(victim.pid());
        assertThat(said(cluster, "at-300").pid()).isEqualTo(other.pid());
        await(() -> notes(cluster) == 0);
    }

    private static int notes(ChaosCluster cluster) {
        return cluster.database()
                .select("select count(*) from ${prefix}note", row -> row.getInt(1))
                .get(0);
    }

    /** Returns the first entry with this name. */
    private static JournalEntry said(ChaosCluster cluster, String name) {
        return cluster.journal()
                .entries(entry ->
                        entry.kind() == JournalEntry.Kind.ENDED && entry.name().equals(name))
                .get(0);
    }

    private static List<String> begun(ChaosCluster cluster, String workflowId) {
        return cluster
                .journal()
                .entries(entry -> entry.kind() == JournalEntry.Kind.BEGAN
                        && entry.workflowId().equals(workflowId))
                .stream()
                .map(JournalEntry::name)
                .toList();
    }

    private static void awaitDeed(ChaosCluster cluster, String name) {
        await(() ->
                !cluster.journal().entries(entry -> entry.name().equals(name)).isEmpty());
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(20))
                .until(condition);
    }
}
