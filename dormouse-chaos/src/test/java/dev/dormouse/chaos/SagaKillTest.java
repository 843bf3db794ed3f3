package dev.dormouse.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A saga of five steps whose fourth fails undoes 3, 2, 1, also if its process is killed meanwhile. */
@ExtendWith(LogOnFailure.class)
class SagaKillTest {
    private static final String[] SETTINGS = {"code=steps", "lease=2000", "sweep=500", "parkGrace=500"};
    private static final List<String> DONE = List.of("act-1-1", "act-2-1", "act-3-1", "act-bad4-1");

    @TempDir
    Path directory;

    @Test
    void killedBetweenThreeAndTwoOnSqlite() {
        try (Scene scene = Scene.onSqlite(directory)) {
            killBetween(scene);
        }
    }

    @Test
    void killedBetweenThreeAndTwoOnPostgres() {
        try (Scene scene = Scene.onPostgres(directory)) {
            killBetween(scene);
        }
    }

    @Test
    void killedDuringTwoOnPostgres() {
        try (Scene scene = Scene.onPostgres(directory)) {
            Child victim = scene.worker(SETTINGS);
            victim.order("one trip trip 1500");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> undone(scene).contains("undo-2-1"));
            victim.kill();
            assertThat(scene.worker(SETTINGS).ask("end trip")).isEqualTo("undone");
            assertThat(undone(scene)).containsExactly("undo-3-1", "undo-2-1", "undo-2-2", "undo-1-1");
        }
    }

    /** The third has been undone, but that is not committed before the next step begins: so it is undone once more. */
    private static void killBetween(Scene scene) {
        Child victim = scene.worker(SETTINGS);
        victim.order("arm BETWEEN_UNDOS trip");
        victim.order("one trip trip 1");
        scene.awaitHeld(Hold.Point.BETWEEN_UNDOS, "trip");
        assertThat(undone(scene)).containsExactly("undo-3-1");
        victim.kill();
        Child other = scene.worker(SETTINGS);
        assertThat(other.ask("end trip")).isEqualTo("undone");
        assertThat(undone(scene)).containsExactly("undo-3-1", "undo-3-2", "undo-2-1", "undo-1-1");
        other.order("one trip untouched 1");
        assertThat(other.ask("end untouched")).isEqualTo("undone");
    }

    /** What began after the failure of the fourth, in order. */
    private static List<String> undone(Scene scene) {
        List<String> begun =
                scene
                        .journal()
                        .deeds(deed -> deed.kind() == Deed.Kind.BEGAN
                                && deed.workflowId().equals("trip"))
                        .stream()
                        .map(Deed::name)
                        .toList();
        int done = Math.min(begun.size(), DONE.size());
        assertThat(begun.subList(0, done)).isEqualTo(DONE.subList(0, done));
        return begun.subList(done, begun.size());
    }
}
