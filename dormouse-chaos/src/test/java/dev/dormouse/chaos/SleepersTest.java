package dev.dormouse.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.history.Event;
import dev.dormouse.store.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A hundred thousand runs that sleep, and the little that they may cost. */
@ExtendWith(LogOnFailure.class)
class SleepersTest {
    private static final int WARM_UP = 3_000;
    private static final int MAX_EXECUTING = 300;
    private static final int SLEEPERS = 100_000;
    private static final String ASLEEP = "sleep:3600000 a:1";

    @TempDir
    Path directory;

    @Test
    void sleepersOnSqliteCostNoThreadAndNoHeap() {
        try (Scene scene = Scene.onSqlite(directory)) {
            Child worker = sleepers(scene, "lease=15000");
            assertOneMoreWakesOnTime(scene, worker);
        }
    }

    @Test
    void sleepersOnPostgresCostNoThreadAndNoHeapAndNextToNoStatements() {
        try (Scene scene = Scene.onPostgres(directory)) {
            Child worker = sleepers(scene, "lease=3000");
            assertOneMoreWakesOnTime(scene, worker);
            pass(Duration.ofSeconds(4)); // the alarms of leases that are over are forgotten by then
            assertIdle(scene, Duration.ofSeconds(15), 3);
        }
    }

    @Test
    @Tag("long")
    void idleMinuteWithSleepersOnPostgresTakesAtMostTenStatements() {
        try (Scene scene = Scene.onPostgres(directory)) {
            sleepers(scene, "lease=15000");
            assertIdle(scene, Duration.ofSeconds(60), 10);
        }
    }

    /** Puts them to sleep, and measures a worker before and after. */
    private static Child sleepers(Scene scene, String lease) {
        Child worker = scene.worker("maxExecuting=" + MAX_EXECUTING, "maxParked=100", lease);
        worker.ask("start waits signal:86400000");
        worker.order("many early- " + (WARM_UP - 1) + " " + ASLEEP);
        awaitAsleep(scene, WARM_UP);
        Usage before = Usage.of(worker);
        long began = System.nanoTime();
        worker.order("many asleep- " + SLEEPERS + " " + ASLEEP);
        awaitAsleep(scene, WARM_UP + SLEEPERS);
        long took = System.nanoTime() - began;
        Usage after = Usage.of(worker);
        double perRun = (after.heap() - before.heap()) / (double) SLEEPERS;
        Figures.report(
                "%,d sleepers on %s: asleep in %s, %.1f bytes of heap each, threads %d before and %d after, most %d",
                SLEEPERS,
                scene.isPostgres() ? "PostgreSQL" : "SQLite",
                Figures.of(took),
                perRun,
                before.threads(),
                after.threads(),
                after.mostThreads());
        assertThat(perRun).isLessThan(200);
        assertThat(after.mostThreads()).as("those that execute, and some").isLessThan(MAX_EXECUTING + 300);
        return worker;
    }

    private static void awaitAsleep(Scene scene, long number) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .untilAsserted(
                        () -> assertThat(scene.database().statuses()).isEqualTo(Map.of(RunStatus.WAITING, number)));
    }

    private static void assertOneMoreWakesOnTime(Scene scene, Child worker) {
        UUID run = UUID.fromString(worker.ask("start brief sleep:1000 b:1"));
        List<Deed> woken = Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(
                        () -> scene.journal()
                                .deeds(deed -> deed.kind() == Deed.Kind.WOKE
                                        && deed.runId().equals(run)),
                        deeds -> !deeds.isEmpty());
        Event.TimerScheduled timer = scene.database().timer(run);
        Duration late = Duration.between(timer.deadline(), woken.get(0).at());
        Figures.report("a sleep of 1 s among them: %s late", Figures.of(late.toNanos()));
        assertThat(late).isBetween(Duration.ZERO, Duration.ofSeconds(1));
    }

    /** Counts statements while nothing happens, then lets another process start a run, and send a signal to another. */
    private static void assertIdle(Scene scene, Duration time, int most) {
        ChaosPostgres.execute("select pg_stat_statements_reset()");
        pass(time);
        Map<String, Long> made = statements();
        long counted = made.values().stream().mapToLong(Long::longValue).sum();
        Figures.report("statements in %s with %,d sleepers: %d", time, SLEEPERS, counted);
        assertThat(counted).as("%s", made).isLessThanOrEqualTo(most);

        Child client = scene.worker("code=none");
        long asked = System.nanoTime();
        client.ask("start fresh c:1");
        long answered = System.nanoTime();
        report(scene, "a start", "c", asked, answered);
        asked = System.nanoTime();
        client.order("signal waits hello");
        report(scene, "a signal", "hello", asked, System.nanoTime());
    }

    private static void report(Scene scene, String what, String name, long asked, long answered) {
        long noticed = Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> scene.journal().deeds(deed -> deed.name().equals(name)), deeds -> !deeds.isEmpty())
                .get(0)
                .nanos();
        Figures.report(
                "%s from another process was picked up %s after it was asked for, %s after it was answered",
                what, Figures.of(noticed - asked), Figures.of(noticed - answered));
        assertThat(Duration.ofNanos(noticed - asked)).isLessThan(Duration.ofSeconds(2));
    }

    private static void pass(Duration time) {
        Awaitility.await().pollDelay(time).atMost(time.plusSeconds(5)).until(() -> true);
    }

    /** How often the engine's role has made which statements. */
    static Map<String, Long> statements() {
        return new Database(ChaosPostgres.adminUrl(), "")
                .select("""
                        select query, sum(calls)
                        from pg_stat_statements join pg_roles on userid = oid
                        where rolname = 'engine'
                        group by query
                        """, row -> Map.entry(row.getString(1), row.getLong(2))).stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
