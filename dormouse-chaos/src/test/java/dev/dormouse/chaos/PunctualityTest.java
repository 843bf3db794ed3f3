package dev.dormouse.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.history.Event;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** How late a sleep ends, when nothing else is going on. */
@ExtendWith(LogOnFailure.class)
class PunctualityTest {
    private static final int SLEEPS = 1_000;

    @TempDir
    Path directory;

    @Test
    void noSleepOnSqliteEndsEarly() {
        try (Scene scene = Scene.onSqlite(directory)) {
            assertNeverEarly(scene, "SQLite");
        }
    }

    @Test
    void noSleepOnPostgresEndsEarly() {
        try (Scene scene = Scene.onPostgres(directory)) {
            assertNeverEarly(scene, "PostgreSQL");
        }
    }

    /** The worker has looked before they were there, and will look again in 10 s: it depends on being told of them. */
    @Test
    void delayedStartsFromAnotherProcessBeginOnTime() {
        try (Scene scene = Scene.onPostgres(directory)) {
            Child client = scene.worker("code=none");
            scene.worker();
            client.order("later delayed- 200 2000 20000 a:1");
            scene.awaitCompleted(200, Duration.ofSeconds(30));

            Map<UUID, Instant> startAt = new HashMap<>();
            scene.database()
                    .histories()
                    .forEach((run, events) -> startAt.put(run, ((Event.RunStarted) events.get(0)).startAt()));
            report(
                    "200 delayed starts over 4 s from another process begin",
                    scene.journal().deeds(Deed.Kind.BEGAN),
                    startAt);
            assertThat(scene.journal().deeds(Deed.Kind.BEGAN))
                    .allSatisfy(deed -> assertThat(deed.at())
                            .isBetween(
                                    startAt.get(deed.runId()),
                                    startAt.get(deed.runId()).plusSeconds(1)));
        }
    }

    /** Sleeps that end every 10 ms: half of them short enough for memory, half of them rows. */
    private static void assertNeverEarly(Scene scene, String store) {
        Child worker = scene.worker("parkAtMost=6000");
        worker.order("spread sleep- " + SLEEPS + " 2000 10");
        scene.awaitCompleted(SLEEPS, Duration.ofSeconds(60));

        Map<UUID, Instant> deadlines = new HashMap<>();
        Map<UUID, Instant> fired = new HashMap<>();
        scene.database()
                .histories()
                .forEach((run, events) -> events.forEach(event -> {
                    if (event instanceof Event.TimerScheduled timer) {
                        deadlines.put(run, timer.deadline());
                    } else if (event instanceof Event.TimerFired timer) {
                        fired.put(run, timer.at());
                    }
                }));
        assertThat(fired).hasSize(SLEEPS);
        assertThat(fired).allSatisfy((run, at) -> assertThat(at).isAfterOrEqualTo(deadlines.get(run)));
        List<Deed> woke = scene.journal().deeds(Deed.Kind.WOKE);
        assertThat(woke).hasSize(SLEEPS);
        assertThat(woke).allSatisfy(deed -> assertThat(deed.at()).isAfterOrEqualTo(deadlines.get(deed.runId())));
        report("1,000 sleeps over 10 s on " + store + " end", woke, deadlines);
    }

    private static void report(String what, List<Deed> deeds, Map<UUID, Instant> due) {
        long[] late = deeds.stream()
                .mapToLong(deed ->
                        Duration.between(due.get(deed.runId()), deed.at()).toNanos())
                .toArray();
        Figures.reportLateness(what, late);
    }
}
