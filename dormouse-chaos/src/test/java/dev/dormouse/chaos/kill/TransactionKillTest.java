package dev.dormouse.chaos.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.chaos.cluster.BookingTables;
import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.cluster.Measurements;
import dev.dormouse.chaos.cluster.StoreTables;
import dev.dormouse.chaos.process.WorkerHandle;
import dev.dormouse.chaos.workload.BookingWorkflow;
import dev.dormouse.chaos.workload.Breakpoint;
import dev.dormouse.chaos.workload.RunStep;
import dev.dormouse.inspect.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 during a step in a transaction, at breakpoints and at random: its rows exist exactly once. */
@ExtendWith(LogOnFailure.class)
class TransactionKillTest {
    private static final List<Breakpoint.Point> POINTS = List.of(
            Breakpoint.Point.IN_FUNCTION,
            Breakpoint.Point.BEFORE_COMMIT,
            Breakpoint.Point.AFTER_COMMIT,
            Breakpoint.Point.NEXT_STEP);
    private static final int CYCLE = POINTS.size() + 2;
    private static final int CROWD = 100;
    private static final int AMOUNT = 7;
    private static final String[] SETTINGS = {"code=steps", "lease=1500", "sweep=500", "parkGrace=500"};
    private static final String[] VICTIM = {"code=steps", "lease=1500", "sweep=500", "parkGrace=500", "holds=yes"};

    @TempDir
    Path directory;

    @Test
    void rowExistsExactlyOnceOnSqliteWhereverTheProcessIsKilled() {
        try (ChaosCluster cluster = ChaosCluster.onSqlite(directory)) {
            kill(cluster, CYCLE);
        }
    }

    @Test
    void rowExistsExactlyOnceOnPostgresWhereverTheProcessIsKilled() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            kill(cluster, CYCLE);
        }
    }

    @Test
    @Tag("long")
    void rowExistsExactlyOnceOnSqliteAfterAHundredKills() {
        try (ChaosCluster cluster = ChaosCluster.onSqlite(directory)) {
            kill(cluster, 100);
        }
    }

    @Test
    @Tag("long")
    void rowExistsExactlyOnceOnPostgresAfterAHundredKills() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            kill(cluster, 100);
        }
    }

    /**
     * Kills one victim after the other. On PostgreSQL another node is always alive; on SQLite the next victim
     * continues.
     */
    private static void kill(ChaosCluster cluster, int times) {
        BookingTables ledger = BookingTables.create(cluster);
        if (cluster.isPostgres()) {
            cluster.worker(SETTINGS);
        }
        Random random = new Random(times);
        for (int i = 0; i < times; i++) {
            WorkerHandle victim = cluster.worker(VICTIM);
            awaitNoneOpen(cluster);
            ledger.assertEachBookedOnce();
            if (i % CYCLE < POINTS.size()) {
                killAt(cluster, victim, POINTS.get(i % CYCLE), "named-" + i);
            } else {
                killSometime(cluster, victim, "random-" + i + "-", random.nextInt(250));
            }
        }
        cluster.worker(SETTINGS);
        awaitNoneOpen(cluster);
        int booked = ledger.assertEachBookedOnce();
        cluster.assertHistoriesAgreeWithJournal();
        assertBegunAgain(cluster);
        Measurements.report(
                "%d kills on %s: %d bookings, each once; %d of them had begun and were begun again",
                times, cluster.isPostgres() ? "PostgreSQL" : "SQLite", booked, again(cluster));
    }

    private static void killAt(ChaosCluster cluster, WorkerHandle victim, Breakpoint.Point point, String id) {
        victim.order("arm " + point + " " + id);
        victim.order("one bank " + id + " " + AMOUNT);
        cluster.awaitHeld(point, id);
        victim.kill();
    }

    /** Kills a worker in the middle of many bookings and of their starts. */
    private static void killSometime(ChaosCluster cluster, WorkerHandle victim, String prefix, int millis) {
        victim.send("several bank " + prefix + " " + CROWD + " " + AMOUNT);
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> !cluster.journal()
                        .entries(entry -> entry.name().equals(BookingWorkflow.BOOK)
                                && entry.workflowId().startsWith(prefix))
                        .isEmpty());
        Awaitility.await().pollDelay(Duration.ofMillis(millis)).until(() -> true);
        victim.kill();
    }

    private static void awaitNoneOpen(ChaosCluster cluster) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(100))
                .untilAsserted(() ->
                        assertThat(cluster.database().statuses().keySet()).isSubsetOf(Set.of(RunStatus.COMPLETED)));
    }

    /** Asserts that a booking began twice if it was killed before its commit, and once if it was killed after. */
    private static void assertBegunAgain(ChaosCluster cluster) {
        Map<RunStep, Long> executions = cluster.journal().executions();
        for (StoreTables.Row run : cluster.database().runs()) {
            if (run.workflowId().startsWith("named-")) {
                int number = Integer.parseInt(run.workflowId().substring("named-".length()));
                boolean before = number % CYCLE < POINTS.indexOf(Breakpoint.Point.AFTER_COMMIT);
                assertThat(executions.get(new RunStep(run.runId(), BookingWorkflow.BOOK)))
                        .as("bookings of %s", run.workflowId())
                        .isEqualTo(before ? 2 : 1);
            }
        }
    }

    private static long again(ChaosCluster cluster) {
        List<RunStep> repeated = new ArrayList<>(cluster.journal().repeated().keySet());
        repeated.removeIf(step -> !step.step().equals(BookingWorkflow.BOOK));
        return repeated.size();
    }
}
