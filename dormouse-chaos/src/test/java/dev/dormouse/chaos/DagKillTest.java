package dev.dormouse.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A DAG sleeps, and its process dies meanwhile. */
@ExtendWith(LogOnFailure.class)
class DagKillTest {
    private static final Duration NAP = Duration.ofSeconds(6);
    private static final String[] SETTINGS = {"code=nap", "nap=" + NAP.toMillis(), "lease=2000", "sweep=500"};

    @TempDir
    Path directory;

    @Test
    void sleepGoesOnInTheNextProcessOnSqlite() {
        try (Scene scene = Scene.onSqlite(directory)) {
            begin(scene).kill();
            scene.worker(SETTINGS);
            assertOnTime(scene, "SQLite, the next process");
        }
    }

    @Test
    void sleepGoesOnInAnotherProcessOnPostgres() {
        try (Scene scene = Scene.onPostgres(directory)) {
            Child victim = begin(scene);
            scene.worker(SETTINGS);
            victim.kill();
            assertOnTime(scene, "PostgreSQL, another process");
        }
    }

    /** A worker in which the first step is done, and the sleep has begun. */
    private static Child begin(Scene scene) {
        Child worker = scene.worker(SETTINGS);
        worker.order("nap w");
        await().until(() -> !deeds(scene, "a").isEmpty());
        return worker;
    }

    private static List<Deed> deeds(Scene scene, String step) {
        return scene.journal().deeds(deed -> deed.name().equals(step));
    }

    private static void assertOnTime(Scene scene, String where) {
        await().atMost(Duration.ofMinutes(1)).until(() -> !deeds(scene, "b").isEmpty());
        Deed last = deeds(scene, "a").get(deeds(scene, "a").size() - 1);
        Duration slept = Duration.between(last.at(), deeds(scene, "b").get(0).at());
        Figures.report("a DAG that slept for %s across kill -9 (%s): the next step began after %s", NAP, where, slept);
        assertThat(slept).isGreaterThanOrEqualTo(NAP);
        assertThat(deeds(scene, "b")).hasSize(1);
    }
}
