package dev.dormouse.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 in runs whose results are committed a little later: the last steps run again, and no others. */
@ExtendWith(LogOnFailure.class)
class BatchedKillTest {
    private static final String[] SETTINGS = {"code=steps", "lease=2000", "sweep=500", "parkGrace=500"};
    private static final int STEPS = 60;

    /** A result is sent after 50 ms; the rest is for the commit, on a busy machine. */
    private static final Duration LOST_AT_MOST = Duration.ofMillis(1_500);

    @TempDir
    Path directory;

    @Test
    void lastStepsOnSqliteRunAgain() {
        try (Scene scene = Scene.onSqlite(directory)) {
            killAmongSteps(scene);
        }
    }

    @Test
    void lastStepsOnPostgresRunAgain() {
        try (Scene scene = Scene.onPostgres(directory)) {
            killAmongSteps(scene);
        }
    }

    private static void killAmongSteps(Scene scene) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            words.add("s" + i + ":10");
        }
        Child victim = scene.worker(SETTINGS);
        victim.order("one " + Script.BATCHED + " many " + String.join("+", words));
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> ended(scene).size() >= STEPS / 2);
        long killed = victim.kill();
        List<Deed> before = ended(scene);
        assertThat(scene.worker(SETTINGS).ask("end many")).isEqualTo("done");

        List<Deed> after = ended(scene).subList(before.size(), ended(scene).size());
        List<Deed> again = before.stream()
                .filter(deed -> after.stream().anyMatch(other -> other.name().equals(deed.name())))
                .toList();
        Figures.report("%d of %d steps that had ended ran again after a kill", again.size(), before.size());
        assertThat(before.size() + after.size() - again.size()).isEqualTo(STEPS);
        assertThat(again).allMatch(deed -> killed - deed.nanos() < LOST_AT_MOST.toNanos());
        assertThat(after).extracting(Deed::name).doesNotHaveDuplicates();
    }

    private static List<Deed> ended(Scene scene) {
        return scene.journal().deeds(Deed.Kind.ENDED);
    }
}
