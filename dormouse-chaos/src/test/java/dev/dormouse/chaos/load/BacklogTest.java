package dev.dormouse.chaos.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.cluster.Measurements;
import dev.dormouse.chaos.cluster.StoreTables;
import dev.dormouse.chaos.process.WorkerHandle;
import dev.dormouse.chaos.workload.JournalEntry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A node that starts long after everything was due. */
@ExtendWith(LogOnFailure.class)
class BacklogTest {
    private static final int SLOW = 2_000;
    private static final int SOME = 8_000;
    private static final int MANY = 100_000;

    @TempDir
    Path directory;

    @Test
    void backlogOnSqliteIsProcessedOldestFirstAndStarvesNoRun() {
        try (ChaosCluster cluster = ChaosCluster.onSqlite(directory)) {
            workOff(cluster, SOME);
        }
    }

    @Test
    void backlogOnPostgresIsProcessedOldestFirstAndStarvesNoRun() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            workOff(cluster, SOME);
        }
    }

    /** All slots of the node are always taken, because each run of the backlog takes a while. */
    @Test
    void newStartIsNotStarvedWhileTheBacklogTakesAllSlots() {
        try (ChaosCluster cluster = ChaosCluster.onSqlite(directory)) {
            prepare(cluster, SLOW, "a:100");
            WorkerHandle worker = cluster.worker("maxExecuting=40");
            awaitBegun(cluster, SLOW / 4);
            worker.ask("start fresh new:1");
            cluster.awaitCompleted(SLOW + 1, Duration.ofMinutes(1));
            assertNotStarved(begun(cluster), SLOW);
        }
    }

    @Test
    @Tag("long")
    void longBacklogOnSqliteIsProcessedOldestFirstAndStarvesNoRun() {
        try (ChaosCluster cluster = ChaosCluster.onSqlite(directory)) {
            workOff(cluster, MANY);
        }
    }

    @Test
    @Tag("long")
    void longBacklogOnPostgresIsProcessedOldestFirstAndStarvesNoRun() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            workOff(cluster, MANY);
        }
    }

    private static void workOff(ChaosCluster cluster, int backlog) {
        Map<UUID, Integer> ranks = prepare(cluster, backlog, "a:0");
        WorkerHandle worker =
                cluster.launch(List.of("-Xmx128m"), "maxExecuting=1000").awaitReady();
        long opened = System.nanoTime();
        awaitBegun(cluster, backlog / 4);
        worker.ask("start fresh new:1");
        cluster.awaitCompleted(backlog + 1, Duration.ofMinutes(5));

        List<JournalEntry> begun = begun(cluster);
        assertOldestFirst(begun, ranks);
        assertNotStarved(begun, backlog);
        cluster.assertHistoriesAgreeWithJournal();
        long last = begun.get(begun.size() - 1).nanos();
        Measurements.report(
                "%,d overdue runs on %s: worked off in %s in a heap of 128 MB, %s",
                backlog,
                cluster.isPostgres() ? "PostgreSQL" : "SQLite",
                Measurements.of(last - opened),
                worker.ask("memory"));
    }

    /**
     * Starts the runs without a node that has their code, so that they wait until all are due. Returns their order.
     */
    private static Map<UUID, Integer> prepare(ChaosCluster cluster, int backlog, String script) {
        WorkerHandle starter = cluster.worker("code=none");
        starter.order("later due- " + backlog + " 1000 50 " + script);
        starter.closeGently();
        List<UUID> byAlarm = cluster.database()
                .select("select run_id from ${prefix}run order by wake_at", row -> StoreTables.uuid(row.getObject(1)));
        Map<UUID, Integer> ranks = new HashMap<>();
        byAlarm.forEach(run -> ranks.put(run, ranks.size()));
        return ranks;
    }

    private static void awaitBegun(ChaosCluster cluster, int number) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> begun(cluster).size() >= number);
    }

    private static List<JournalEntry> begun(ChaosCluster cluster) {
        List<JournalEntry> begun = new ArrayList<>(cluster.journal().entries(JournalEntry.Kind.BEGAN));
        begun.sort(Comparator.comparingLong(JournalEntry::nanos));
        return begun;
    }

    /** Asserts that no run begins earlier or later than its turn by more than the 1,000 that execute at a time. */
    private static void assertOldestFirst(List<JournalEntry> begun, Map<UUID, Integer> ranks) {
        int place = 0;
        int farthest = 0;
        for (JournalEntry entry : begun) {
            Integer rank = ranks.get(entry.runId());
            if (rank != null) {
                farthest = Math.max(farthest, Math.abs(rank - place++));
            }
        }
        Measurements.report("no overdue run came more than %d places from its turn", farthest);
        assertThat(farthest).isLessThan(3_000);
    }

    private static void assertNotStarved(List<JournalEntry> begun, int backlog) {
        int place = 0;
        while (!begun.get(place).name().equals("new")) {
            place++;
        }
        Measurements.report(
                "a new start after %,d of %,d overdue runs began as number %,d", backlog / 4, backlog, place);
        assertThat(place).isLessThan(backlog / 4 * 3);
    }
}
