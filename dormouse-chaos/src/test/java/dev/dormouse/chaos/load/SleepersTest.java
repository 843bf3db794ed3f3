package dev.dormouse.chaos.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.cluster.Measurements;
import dev.dormouse.chaos.cluster.StoreTables;
import dev.dormouse.chaos.postgres.ChaosPostgres;
import dev.dormouse.chaos.process.WorkerHandle;
import dev.dormouse.chaos.process.WorkerUsage;
import dev.dormouse.chaos.workload.JournalEntry;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.history.Event;
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

/** The cost of many sleeping runs: twenty thousand in every build, a hundred thousand with {@code -Plong}. */
@ExtendWith(LogOnFailure.class)
class SleepersTest {
    private static final int WARM_UP = 3_000;
    private static final int MAX_EXECUTING = 300;
    private static final int SLEEPERS = 20_000;
    private static final int MANY_SLEEPERS = 100_000;
    private static final String ASLEEP = "sleep:3600000 a:1";

    @TempDir
    Path directory;

    @Test
    void sleepersOnSqliteCostNoThreadAndNoHeap() {
        playOnSqlite(SLEEPERS);
    }

    @Test
    void sleepersOnPostgresCostNoThreadAndNoHeapAndNextToNoStatements() {
        playOnPostgres(SLEEPERS);
    }

    @Test
    @Tag("long")
    void manySleepersOnSqliteCostNoThreadAndNoHeap() {
        playOnSqlite(MANY_SLEEPERS);
    }

    @Test
    @Tag("long")
    void manySleepersOnPostgresCostNoThreadAndNoHeapAndNextToNoStatements() {
        playOnPostgres(MANY_SLEEPERS);
    }

    @Test
    @Tag("long")
    void idleMinuteWithSleepersOnPostgresTakesAtMostTenStatements() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            sleepers(cluster, MANY_SLEEPERS, "lease=15000");
            assertIdle(cluster, Duration.ofSeconds(60), 10);
        }
    }

    private void playOnSqlite(int sleepers) {
        try (ChaosCluster cluster = ChaosCluster.onSqlite(directory)) {
            WorkerHandle worker = sleepers(cluster, sleepers, "lease=15000");
            assertOneMoreWakesOnTime(cluster, worker);
        }
    }

    private void playOnPostgres(int sleepers) {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            WorkerHandle worker = sleepers(cluster, sleepers, "lease=3000");
            assertOneMoreWakesOnTime(cluster, worker);
            pass(Duration.ofSeconds(4)); // the alarms of expired leases are gone by then
            assertIdle(cluster, Duration.ofSeconds(15), 3);
        }
    }

    /** Starts the sleeping runs, and measures a worker before and after. */
    private static WorkerHandle sleepers(ChaosCluster cluster, int sleepers, String lease) {
        WorkerHandle worker = cluster.worker("maxExecuting=" + MAX_EXECUTING, "maxParked=100", lease);
        worker.ask("start waits signal:86400000");
        worker.order("many early- " + (WARM_UP - 1) + " " + ASLEEP);
        awaitAsleep(cluster, WARM_UP);
        WorkerUsage before = WorkerUsage.of(worker);
        long began = System.nanoTime();
        worker.order("many asleep- " + sleepers + " " + ASLEEP);
        awaitAsleep(cluster, WARM_UP + sleepers);
        long took = System.nanoTime() - began;
        WorkerUsage after = WorkerUsage.of(worker);
        double perRun = (after.heap() - before.heap()) / (double) sleepers;
        Measurements.report(
                "%,d sleepers on %s: asleep in %s, %.1f bytes of heap each, threads %d before and %d after, most %d",
                sleepers,
                cluster.isPostgres() ? "PostgreSQL" : "SQLite",
                Measurements.of(took),
                perRun,
                before.threads(),
                after.threads(),
                after.mostThreads());
        assertThat(perRun).isLessThan(200);
        assertThat(after.mostThreads()).as("those that execute, and some").isLessThan(MAX_EXECUTING + 300);
        return worker;
    }

    private static void awaitAsleep(ChaosCluster cluster, long number) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .untilAsserted(
                        () -> assertThat(cluster.database().statuses()).isEqualTo(Map.of(RunStatus.WAITING, number)));
    }

    private static void assertOneMoreWakesOnTime(ChaosCluster cluster, WorkerHandle worker) {
        UUID run = UUID.fromString(worker.ask("start brief sleep:1000 b:1"));
        List<JournalEntry> woken = Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(
                        () -> cluster.journal()
                                .entries(entry -> entry.kind() == JournalEntry.Kind.WOKE
                                        && entry.runId().equals(run)),
                        deeds -> !deeds.isEmpty());
        Event.TimerScheduled timer = cluster.database().timer(run);
        Duration late = Duration.between(timer.deadline(), woken.get(0).at());
        Measurements.report("a sleep of 1 s among them: %s late", Measurements.of(late.toNanos()));
        assertThat(late).isBetween(Duration.ZERO, Duration.ofSeconds(1));
    }

    /** Counts statements while the node is idle; then another process starts a run and signals another. */
    private static void assertIdle(ChaosCluster cluster, Duration time, int most) {
        ChaosPostgres.execute("select pg_stat_statements_reset()");
        pass(time);
        Map<String, Long> made = statements();
        long counted = made.values().stream().mapToLong(Long::longValue).sum();
        Measurements.report("statements in %s: %d", time, counted);
        assertThat(counted).as("%s", made).isLessThanOrEqualTo(most);

        WorkerHandle client = cluster.worker("code=none");
        long asked = System.nanoTime();
        client.ask("start fresh c:1");
        long answered = System.nanoTime();
        report(cluster, "a start", "c", asked, answered);
        asked = System.nanoTime();
        client.order("signal waits hello");
        report(cluster, "a signal", "hello", asked, System.nanoTime());
    }

    private static void report(ChaosCluster cluster, String what, String name, long asked, long answered) {
        long noticed = Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> cluster.journal().entries(entry -> entry.name().equals(name)), deeds -> !deeds.isEmpty())
                .get(0)
                .nanos();
        Measurements.report(
                "%s from another process was picked up %s after it was asked for, %s after it was answered",
                what, Measurements.of(noticed - asked), Measurements.of(noticed - answered));
        assertThat(Duration.ofNanos(noticed - asked)).isLessThan(Duration.ofSeconds(2));
    }

    private static void pass(Duration time) {
        Awaitility.await().pollDelay(time).atMost(time.plusSeconds(5)).until(() -> true);
    }

    /** Returns how often the engine's role has executed each statement. */
    static Map<String, Long> statements() {
        return new StoreTables(ChaosPostgres.adminUrl(), "")
                .select("""
                        select query, sum(calls)
                        from pg_stat_statements join pg_roles on userid = oid
                        where rolname = 'engine'
                        group by query
                        """, row -> Map.entry(row.getString(1), row.getLong(2))).stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
