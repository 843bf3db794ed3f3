package dev.dormouse.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 during an activity: it runs again, as its next attempt, and from where it said that it was. */
@ExtendWith(LogOnFailure.class)
class ActivityKillTest {
    private static final String[] SETTINGS = {"code=steps", "lease=2000", "sweep=500", "parkGrace=500"};

    /** Notes are written once a second; the rest is for a busy machine. */
    private static final Duration LOST_AT_MOST = Duration.ofMillis(2_500);

    @TempDir
    Path directory;

    @Test
    void activityOnSqliteRunsAgainAfterARestart() {
        try (Scene scene = Scene.onSqlite(directory)) {
            killDuringWork(scene);
        }
    }

    @Test
    void activityOnPostgresRunsAgainOnAnotherNode() {
        try (Scene scene = Scene.onPostgres(directory)) {
            killDuringWork(scene);
        }
    }

    @Test
    void activityThatDiesTwiceIsInItsThirdAttempt() {
        try (Scene scene = Scene.onSqlite(directory)) {
            Child victim = scene.worker(SETTINGS);
            victim.order("one task twice work:1500");
            awaitDeed(scene, "work-1");
            victim.kill();
            victim = scene.worker(SETTINGS);
            awaitDeed(scene, "work-2");
            victim.kill();
            assertThat(scene.worker(SETTINGS).ask("end twice")).isEqualTo("attempt 3");
            assertThat(begun(scene, "twice")).containsExactly("work-1", "work-2", "work-3");
        }
    }

    @Test
    void heartbeatOnSqliteSurvivesTheKillOfItsNode() {
        try (Scene scene = Scene.onSqlite(directory)) {
            killDuringCount(scene);
        }
    }

    @Test
    void heartbeatOnPostgresSurvivesTheKillOfItsNode() {
        try (Scene scene = Scene.onPostgres(directory)) {
            killDuringCount(scene);
        }
    }

    private static void killDuringWork(Scene scene) {
        Child victim = scene.worker(SETTINGS);
        victim.order("one task done work:1");
        assertThat(victim.ask("end done")).isEqualTo("attempt 1");
        victim.order("one task busy work:2000");
        await(() -> !begun(scene, "busy").isEmpty());
        long killed = victim.kill();
        Child other = scene.worker(SETTINGS);
        assertThat(other.ask("end busy")).isEqualTo("attempt 2");
        assertThat(begun(scene, "busy")).containsExactly("work-1", "work-2");
        assertThat(begun(scene, "done")).containsExactly("work-1");
        Deed again = scene.journal().deeds(deed -> deed.name().equals("work-2")).get(0);
        assertThat(again.pid()).isEqualTo(other.pid());
        Figures.report("an activity ran again %s after its process was killed", Figures.of(again.nanos() - killed));
    }

    private static void killDuringCount(Scene scene) {
        Child victim = scene.worker(SETTINGS);
        victim.order("one task count count:300:20");
        awaitDeed(scene, "at-150");
        assertThat(victim.ask("step count")).contains("Chores.count", "attempt=1", "progress=Optional[");
        long killed = victim.kill();
        Child other = scene.worker(SETTINGS);
        assertThat(other.ask("end count")).isEqualTo("attempt 2");

        List<Deed> from = scene.journal().deeds(Deed.Kind.WOKE);
        assertThat(from).hasSize(2);
        assertThat(from.get(0).name()).isEqualTo("at-0");
        Deed known = said(scene, from.get(1).name());
        long last = scene.journal()
                .deeds(deed -> deed.kind() == Deed.Kind.ENDED && deed.pid() == victim.pid())
                .size();
        Figures.report(
                "an activity was killed at %d of 300 and went on from %s, which it had said %s before",
                last, known.name(), Figures.of(killed - known.nanos()));
        assertThat(Duration.ofNanos(killed - known.nanos())).isLessThan(LOST_AT_MOST);
        assertThat(known.pid()).isEqualTo(victim.pid());
        assertThat(said(scene, "at-300").pid()).isEqualTo(other.pid());
        await(() -> notes(scene) == 0);
    }

    private static int notes(Scene scene) {
        return scene.database()
                .select("select count(*) from ${prefix}note", row -> row.getInt(1))
                .get(0);
    }

    /** The first time that it was said. */
    private static Deed said(Scene scene, String name) {
        return scene.journal()
                .deeds(deed -> deed.kind() == Deed.Kind.ENDED && deed.name().equals(name))
                .get(0);
    }

    private static List<String> begun(Scene scene, String workflowId) {
        return scene
                .journal()
                .deeds(deed ->
                        deed.kind() == Deed.Kind.BEGAN && deed.workflowId().equals(workflowId))
                .stream()
                .map(Deed::name)
                .toList();
    }

    private static void awaitDeed(Scene scene, String name) {
        await(() -> !scene.journal().deeds(deed -> deed.name().equals(name)).isEmpty());
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(20))
                .until(condition);
    }
}
