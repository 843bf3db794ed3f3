package dev.dormouse.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What dies while a thousand timers fire, whose handlers each write a row in the transaction of their firing. */
@ExtendWith(LogOnFailure.class)
class TimerKillTest {
    private static final int TIMERS = 1_000;
    private static final String[] SETTINGS = {"code=timers", "lease=2000", "sweep=500"};

    @TempDir
    Path directory;

    @Test
    void eachRowIsThereOnceAfterAKillOnSqlite() {
        try (Scene scene = Scene.onSqlite(directory)) {
            Ledger.create(scene);
            Child victim = begin(scene);
            victim.kill();
            scene.worker(SETTINGS);
            assertEachOnce(scene);
        }
    }

    @Test
    void eachRowIsThereOnceAfterAKillOnPostgres() {
        try (Scene scene = Scene.onPostgres(directory)) {
            Ledger.create(scene);
            scene.worker(SETTINGS);
            Child victim = begin(scene);
            victim.kill();
            assertEachOnce(scene);
        }
    }

    @Test
    void eachRowIsThereOnceAfterAllConnectionsWereCut() {
        try (Scene scene = Scene.onPostgres(directory)) {
            Ledger.create(scene);
            scene.worker(SETTINGS);
            begin(scene);
            int cut = 0;
            for (int i = 0; i < 3; i++) {
                cut += ChaosPostgres.killConnections();
                int before = booked(scene).size();
                await(() -> booked(scene).size() > before || booked(scene).size() == TIMERS);
            }
            assertThat(cut).isPositive();
            assertEachOnce(scene);
        }
    }

    @Test
    void eachRowIsThereOnceAfterTheDatabaseWasStopped() {
        try (Scene scene = Scene.onPostgres(directory)) {
            Ledger.create(scene);
            scene.worker(SETTINGS);
            begin(scene);
            ChaosPostgres.stop();
            ChaosPostgres.start();
            assertEachOnce(scene);
        }
    }

    @Test
    void eachRowIsThereOnceAfterTheDatabaseCrashed() {
        try (Scene scene = Scene.onPostgres(directory)) {
            Ledger.create(scene);
            scene.worker(SETTINGS);
            begin(scene);
            for (int i = 0; i < 2; i++) {
                ChaosPostgres.crash();
                await(() -> !booked(scene).isEmpty()); // it answers again
            }
            assertEachOnce(scene);
        }
    }

    /** Timers whose handlers do something outside are called again by whoever goes on, as their next attempt. */
    @Test
    void handlersThatWereCutOffAreCalledAgain() {
        try (Scene scene = Scene.onPostgres(directory)) {
            scene.createTables();
            Child victim = scene.launch(List.of("-D" + TimerCommands.STAY_MILLIS + "=60000"), SETTINGS)
                    .awaitReady();
            victim.order("timers write t 200 1500");
            await(() -> scene.journal().deeds(Deed.Kind.BEGAN).size() > 50);
            victim.kill();
            List<String> cutOff = scene.journal().deeds(Deed.Kind.BEGAN).stream()
                    .map(Deed::workflowId)
                    .toList();
            scene.worker(SETTINGS);
            await(() -> scene.database().statuses().equals(Map.of(RunStatus.COMPLETED, 200L)));
            List<Deed> deeds = scene.journal().deeds(Deed.Kind.BEGAN);
            assertThat(deeds.stream().map(Deed::workflowId).distinct()).hasSize(200);
            assertThat(deeds.stream().filter(deed -> deed.name().equals("attempt-1")))
                    .as("first attempts")
                    .extracting(Deed::workflowId)
                    .doesNotHaveDuplicates();
            assertThat(deeds.stream().filter(deed -> deed.name().equals("attempt-2")))
                    .as("called again, beside some that were killed on the way to their handler")
                    .extracting(Deed::workflowId)
                    .doesNotHaveDuplicates()
                    .containsAll(cutOff);
        }
    }

    /** Waits until some have fired. */
    private static Child begin(Scene scene) {
        Child victim = scene.worker(SETTINGS);
        victim.order("timers book t " + TIMERS + " 1500");
        await(() -> booked(scene).size() > TIMERS / 20);
        assertThat(booked(scene).size()).as("some have not fired yet").isLessThan(TIMERS);
        return victim;
    }

    private static List<String> booked(Scene scene) {
        return scene.database().select("select workflow_id from ${prefix}ledger", row -> row.getString(1));
    }

    private static void assertEachOnce(Scene scene) {
        await(() -> scene.database().statuses().equals(Map.of(RunStatus.COMPLETED, (long) TIMERS)));
        assertThat(booked(scene))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, TIMERS).mapToObj(i -> "t" + i).toList());
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(10))
                .ignoreExceptions()
                .until(condition);
    }
}
