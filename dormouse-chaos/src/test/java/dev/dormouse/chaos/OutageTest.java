package dev.dormouse.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL goes away under two nodes, and comes back. No process dies, so no step may run twice. */
@ExtendWith(LogOnFailure.class)
class OutageTest {
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final String[] SETTINGS = {"lease=" + LEASE.toMillis(), "sweep=1000", "parkGrace=2000"};

    /** A node whose connections are killed for longer than its lease may rightly lose its runs to one that has been idle. */
    private static final String[] PATIENT = {"lease=8000", "sweep=1000", "parkGrace=2000"};

    private static final int RUNS = 300;

    @TempDir
    Path directory;

    @Test
    void workGoesOnAfterRestarts() {
        try (Scene scene = Scene.onPostgres(directory)) {
            startRuns(scene, SETTINGS);
            for (int i = 0; i < 2; i++) {
                ChaosPostgres.stop();
                ChaosPostgres.start();
                pass(Duration.ofMillis(500));
            }
            assertAllRanOnce(scene);
        }
    }

    @Test
    void workGoesOnWhileConnectionsAreKilled() {
        try (Scene scene = Scene.onPostgres(directory)) {
            startRuns(scene, PATIENT);
            int killed = 0;
            for (int i = 0; i < 20; i++) {
                killed += ChaosPostgres.killConnections();
                pass(Duration.ofMillis(200));
            }
            Figures.report("%d connections killed under two nodes", killed);
            assertThat(killed).isGreaterThan(20);
            assertAllRanOnce(scene);
        }
    }

    @Test
    void livingStepsAreLeftAloneAfterAnOutageOfMoreThanLease() {
        try (Scene scene = Scene.onPostgres(directory)) {
            startRuns(scene, SETTINGS);
            ChaosPostgres.stop();
            pass(LEASE.multipliedBy(2));
            ChaosPostgres.start();
            assertAllRanOnce(scene);
        }
    }

    /** On each of two nodes runs with a step that outlasts it all, with many short ones, and with sleeps. */
    private static void startRuns(Scene scene, String[] settings) {
        List<Child> nodes = List.of(scene.launch(settings), scene.launch(settings));
        nodes.forEach(Child::awaitReady);
        for (int i = 0; i < nodes.size(); i++) {
            Child node = nodes.get(i);
            node.order("many long-" + i + "- 50 a:1 long:8000 b:1");
            node.order("many short-" + i + "- 50 " + shortSteps(40));
            node.order("many sleeping-" + i + "- 50 a:1 sleep:500 b:1 sleep:500 c:1 sleep:500 d:1 sleep:6000 e:1");
        }
    }

    private static String shortSteps(int number) {
        StringBuilder script = new StringBuilder();
        for (int i = 0; i < number; i++) {
            script.append(i == 0 ? "" : " ").append('s').append(i).append(":50");
        }
        return script.toString();
    }

    private static void pass(Duration time) {
        Awaitility.await().pollDelay(time).atMost(time.plusSeconds(10)).until(() -> true);
    }

    private static void assertAllRanOnce(Scene scene) {
        scene.awaitCompleted(RUNS, Duration.ofSeconds(60));
        assertThat(scene.journal().repeated()).isEmpty();
        scene.assertHistoriesAgreeWithJournal();
    }
}
