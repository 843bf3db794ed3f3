package dev.dormouse.chaos.outage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.cluster.Measurements;
import dev.dormouse.chaos.process.WorkerHandle;
import dev.dormouse.chaos.workload.JournalEntry;
import dev.dormouse.inspect.RunStatus;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** An open transaction of another session holds the rows of some runs. */
@ExtendWith(LogOnFailure.class)
class LockedRowTest {
    @TempDir
    Path directory;

    @Test
    void openTransactionThatHoldsRunsDelaysNoOthers() throws SQLException {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            WorkerHandle worker = cluster.worker();
            worker.order("many held- 10 a:1 sleep:700 b:1"); // parked in memory, commits when it wakes
            worker.order("many waiting- 10 sleep:6000 a:1"); // a row, claimed when it wakes
            try (Connection user =
                    DriverManager.getConnection(cluster.database().url())) {
                user.setAutoCommit(false);
                lock(user, cluster, "held-%");
                lock(user, cluster, "waiting-%");
                long began = System.nanoTime();
                worker.order("many free- 1000 a:1 sleep:100 b:1 c:1 d:1");
                awaitStatus(cluster, RunStatus.COMPLETED, 1_000);
                Measurements.report(
                        "1,000 runs beside 20 whose rows are locked: %s", Measurements.of(System.nanoTime() - began));
                worker.order("many after- 100 sleep:6100 a:1");
                awaitStatus(cluster, RunStatus.COMPLETED, 1_100);
                assertThat(cluster.database().statuses()).containsEntry(RunStatus.COMPLETED, 1_100L);
                user.rollback();
            }
            cluster.awaitCompleted(1_120, Duration.ofSeconds(20));
            assertThat(cluster.journal().repeated()).isEmpty();
            cluster.assertHistoriesAgreeWithJournal();
            assertFreeWasFast(cluster);
        }
    }

    private static void lock(Connection user, ChaosCluster cluster, String workflowIds) throws SQLException {
        try (Statement statement = user.createStatement()) {
            statement.execute("select run_id from " + cluster.database().prefix() + "run where workflow_id like '"
                    + workflowIds + "' for update");
        }
    }

    private static void awaitStatus(ChaosCluster cluster, RunStatus status, long number) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(
                        () -> assertThat(cluster.database().statuses()).containsAllEntriesOf(Map.of(status, number)));
    }

    /** Asserts that sleeps of runs whose rows are not locked ended on time, by each run's own deadline. */
    private static void assertFreeWasFast(ChaosCluster cluster) {
        cluster.journal()
                .entries(entry -> entry.kind() == JournalEntry.Kind.WOKE
                        && entry.workflowId().startsWith("after-"))
                .forEach(entry -> assertThat(Duration.between(
                                cluster.database().timer(entry.runId()).deadline(), entry.at()))
                        .isLessThan(Duration.ofSeconds(2)));
    }
}
