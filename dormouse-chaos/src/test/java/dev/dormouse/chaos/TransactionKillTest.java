package dev.dormouse.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.RunStatus;
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

/** kill -9 during a step in a transaction, at named points and at random: its rows are there exactly once. */
@ExtendWith(LogOnFailure.class)
class TransactionKillTest {
    private static final List<Hold.Point> POINTS =
            List.of(Hold.Point.IN_FUNCTION, Hold.Point.BEFORE_COMMIT, Hold.Point.AFTER_COMMIT, Hold.Point.NEXT_STEP);
    private static final int CYCLE = POINTS.size() + 2;
    private static final int CROWD = 100;
    private static final int AMOUNT = 7;
    private static final String[] SETTINGS = {"code=steps", "lease=1500", "sweep=500", "parkGrace=500"};
    private static final String[] VICTIM = {"code=steps", "lease=1500", "sweep=500", "parkGrace=500", "holds=yes"};

    @TempDir
    Path directory;

    @Test
    void rowExistsExactlyOnceOnSqliteWhereverTheProcessIsKilled() {
        try (Scene scene = Scene.onSqlite(directory)) {
            kill(scene, CYCLE);
        }
    }

    @Test
    void rowExistsExactlyOnceOnPostgresWhereverTheProcessIsKilled() {
        try (Scene scene = Scene.onPostgres(directory)) {
            kill(scene, CYCLE);
        }
    }

    @Test
    @Tag("long")
    void rowExistsExactlyOnceOnSqliteAfterAHundredKills() {
        try (Scene scene = Scene.onSqlite(directory)) {
            kill(scene, 100);
        }
    }

    @Test
    @Tag("long")
    void rowExistsExactlyOnceOnPostgresAfterAHundredKills() {
        try (Scene scene = Scene.onPostgres(directory)) {
            kill(scene, 100);
        }
    }

    /** One victim after the other. On PostgreSQL another node lives all the time; on SQLite the next victim goes on. */
    private static void kill(Scene scene, int times) {
        Ledger ledger = Ledger.create(scene);
        if (scene.isPostgres()) {
            scene.worker(SETTINGS);
        }
        Random random = new Random(times);
        for (int i = 0; i < times; i++) {
            Child victim = scene.worker(VICTIM);
            awaitNoneOpen(scene);
            ledger.assertEachBookedOnce();
            if (i % CYCLE < POINTS.size()) {
                killAt(scene, victim, POINTS.get(i % CYCLE), "named-" + i);
            } else {
                killSometime(scene, victim, "random-" + i + "-", random.nextInt(250));
            }
        }
        scene.worker(SETTINGS);
        awaitNoneOpen(scene);
        int booked = ledger.assertEachBookedOnce();
        scene.assertHistoriesAgreeWithJournal();
        assertBegunAgain(scene);
        Figures.report(
                "%d kills on %s: %d bookings, each once; %d of them had begun and were begun again",
                times, scene.isPostgres() ? "PostgreSQL" : "SQLite", booked, again(scene));
    }

    private static void killAt(Scene scene, Child victim, Hold.Point point, String id) {
        victim.order("arm " + point + " " + id);
        victim.order("one bank " + id + " " + AMOUNT);
        scene.awaitHeld(point, id);
        victim.kill();
    }

    /** In the middle of many bookings, and of their starts. */
    private static void killSometime(Scene scene, Child victim, String prefix, int millis) {
        victim.tell("several bank " + prefix + " " + CROWD + " " + AMOUNT);
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> !scene.journal()
                        .deeds(deed -> deed.name().equals(Bank.BOOK)
                                && deed.workflowId().startsWith(prefix))
                        .isEmpty());
        Awaitility.await().pollDelay(Duration.ofMillis(millis)).until(() -> true);
        victim.kill();
    }

    private static void awaitNoneOpen(Scene scene) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(100))
                .untilAsserted(
                        () -> assertThat(scene.database().statuses().keySet()).isSubsetOf(Set.of(RunStatus.COMPLETED)));
    }

    /** A booking began twice where it was killed before its commit, and once where it was killed after that. */
    private static void assertBegunAgain(Scene scene) {
        Map<StepOfRun, Long> executions = scene.journal().executions();
        for (Database.Row run : scene.database().runs()) {
            if (run.workflowId().startsWith("named-")) {
                int number = Integer.parseInt(run.workflowId().substring("named-".length()));
                boolean before = number % CYCLE < POINTS.indexOf(Hold.Point.AFTER_COMMIT);
                assertThat(executions.get(new StepOfRun(run.runId(), Bank.BOOK)))
                        .as("bookings of %s", run.workflowId())
                        .isEqualTo(before ? 2 : 1);
            }
        }
    }

    private static long again(Scene scene) {
        List<StepOfRun> repeated = new ArrayList<>(scene.journal().repeated().keySet());
        repeated.removeIf(step -> !step.step().equals(Bank.BOOK));
        return repeated.size();
    }
}
