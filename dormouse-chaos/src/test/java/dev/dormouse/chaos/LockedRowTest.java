package dev.dormouse.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.RunStatus;
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

/** Somebody's open transaction holds the rows of some runs. */
@ExtendWith(LogOnFailure.class)
class LockedRowTest {
    @TempDir
    Path directory;

    @Test
    void openTransactionThatHoldsRunsDelaysNoOthers() throws SQLException {
        try (Scene scene = Scene.onPostgres(directory)) {
            Child worker = scene.worker();
            worker.order("many held- 10 a:1 sleep:700 b:1"); // parked in memory, commits when it wakes
            worker.order("many waiting- 10 sleep:6000 a:1"); // a row, claimed when it wakes
            try (Connection user = DriverManager.getConnection(scene.database().url())) {
                user.setAutoCommit(false);
                lock(user, scene, "held-%");
                lock(user, scene, "waiting-%");
                long began = System.nanoTime();
                worker.order("many free- 1000 a:1 sleep:100 b:1 c:1 d:1");
                awaitStatus(scene, RunStatus.COMPLETED, 1_000);
                Figures.report("1,000 runs beside 20 whose rows are locked: %s", Figures.of(System.nanoTime() - began));
                worker.order("many after- 100 sleep:6100 a:1");
                awaitStatus(scene, RunStatus.COMPLETED, 1_100);
                assertThat(scene.database().statuses()).containsEntry(RunStatus.COMPLETED, 1_100L);
                user.rollback();
            }
            scene.awaitCompleted(1_120, Duration.ofSeconds(20));
            assertThat(scene.journal().repeated()).isEmpty();
            scene.assertHistoriesAgreeWithJournal();
            assertFreeWasFast(scene);
        }
    }

    private static void lock(Connection user, Scene scene, String workflowIds) throws SQLException {
        try (Statement statement = user.createStatement()) {
            statement.execute("select run_id from " + scene.database().prefix() + "run where workflow_id like '"
                    + workflowIds + "' for update");
        }
    }

    private static void awaitStatus(Scene scene, RunStatus status, long number) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(
                        () -> assertThat(scene.database().statuses()).containsAllEntriesOf(Map.of(status, number)));
    }

    /** Sleeps among the locked rows ended on time, as seen from each run's own deadline. */
    private static void assertFreeWasFast(Scene scene) {
        scene.journal()
                .deeds(deed ->
                        deed.kind() == Deed.Kind.WOKE && deed.workflowId().startsWith("after-"))
                .forEach(deed -> assertThat(Duration.between(
                                scene.database().timer(deed.runId()).deadline(), deed.at()))
                        .isLessThan(Duration.ofSeconds(2)));
    }
}
