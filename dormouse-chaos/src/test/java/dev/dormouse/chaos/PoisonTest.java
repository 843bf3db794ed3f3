package dev.dormouse.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A run whose step ends its process, each time that it is tried. */
@ExtendWith(LogOnFailure.class)
class PoisonTest {
    private static final int MAX_TAKEOVERS = 2;
    private static final String[] SETTINGS = {
        "lease=2000", "sweep=500", "parkGrace=500", "maxTakeovers=" + MAX_TAKEOVERS
    };
    private static final long OTHERS = 48;

    @TempDir
    Path directory;

    @Test
    void poisonOnSqliteIsParkedAndTheOthersFinish() {
        try (Scene scene = Scene.onSqlite(directory)) {
            play(scene, 1);
        }
    }

    @Test
    void poisonOnPostgresIsParkedAndTheOthersFinish() {
        try (Scene scene = Scene.onPostgres(directory)) {
            play(scene, 2);
        }
    }

    /** Keeps so many workers alive, whatever happens to them, until nothing happens any more. */
    private static void play(Scene scene, int workers) {
        List<Child> nodes = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            nodes.add(scene.worker(SETTINGS));
        }
        nodes.get(0).order("many quick- 20 a:1 sleep:200 b:1");
        nodes.get(0).order("many asleep- 20 a:1 sleep:6000 b:1");
        nodes.get(0).order("many slow- 8 a:1 slow:700 b:1"); // in flight each time that the process dies
        nodes.get(0).tell("start poison a:1 halt:0");

        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(() -> {
                    nodes.replaceAll(node -> node.isAlive() ? node : scene.worker(SETTINGS));
                    assertThat(scene.database().statuses())
                            .isEqualTo(Map.of(RunStatus.COMPLETED, OTHERS, RunStatus.STUCK, 1L));
                });
        Database.Row poison = scene.database().run("poison");
        long deaths = scene.journal().deeds(deed -> deed.name().equals("halt")).size();
        Figures.report("a run that kills its process was stuck after %d deaths: %s", deaths, poison.trouble());
        assertThat(poison.status()).isEqualTo(RunStatus.STUCK);
        assertThat(poison.trouble()).startsWith("[DM");
        assertThat(deaths).isBetween(2L, MAX_TAKEOVERS + 1L);
        nodes.forEach(node -> assertThat(node.isAlive()).isTrue());
    }
}
