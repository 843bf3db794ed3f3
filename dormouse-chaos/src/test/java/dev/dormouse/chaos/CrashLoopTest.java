package dev.dormouse.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Processes that die again and again for a reason of their own, beside runs that have done nothing wrong. */
@ExtendWith(LogOnFailure.class)
class CrashLoopTest {
    private static final long RUNS = 200;
    private static final long TIMERS = 200;
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration MARGIN = Duration.ofSeconds(10); // a busy machine starts a process in seconds

    @TempDir
    Path directory;

    @Test
    void runsAndTimersOnSqliteEndOnceAHealthyNodeIsThere() {
        try (Scene scene = Scene.onSqlite(directory)) {
            loop(scene, 5);
        }
    }

    @Test
    void runsAndTimersOnPostgresEndOnceAHealthyNodeIsThere() {
        try (Scene scene = Scene.onPostgres(directory)) {
            loop(scene, 5);
        }
    }

    @Test
    @Tag("long")
    void runsAndTimersOnSqliteEndAfterTwentyCrashes() {
        try (Scene scene = Scene.onSqlite(directory)) {
            loop(scene, 20);
        }
    }

    @Test
    @Tag("long")
    void runsAndTimersOnPostgresEndAfterTwentyCrashes() {
        try (Scene scene = Scene.onPostgres(directory)) {
            loop(scene, 20);
        }
    }

    /** With the default lease: runs and timers become due while processes open and die, and then one that lives opens. */
    private void loop(Scene scene, int crashes) {
        Ledger.create(scene);
        Child first = scene.worker("code=script+timers");
        first.order("later run- " + RUNS + " 3000 10 a:20");
        first.order("timers write timer- " + TIMERS + " 3000");
        first.kill();
        for (int i = 0; i < crashes; i++) {
            scene.launch("code=script+timers", "dieAfter=20").awaitEnd();
        }
        long died = System.nanoTime();
        scene.worker("code=script+timers");
        Awaitility.await()
                .atMost(LEASE.plus(MARGIN))
                .pollInterval(Duration.ofMillis(100))
                .untilAsserted(() ->
                        assertThat(scene.database().statuses()).isEqualTo(Map.of(RunStatus.COMPLETED, RUNS + TIMERS)));
        Figures.report(
                "after %d crashes right after opening, %d runs and timers ended within %s",
                crashes, RUNS + TIMERS, Figures.of(System.nanoTime() - died));
    }

    /** Three nodes with a thousand long steps; two of the nodes are killed, and their successors too. */
    @Test
    @Tag("long")
    void thousandLongStepsExecuteAgainWithinTwoLeasesAfterTwoNodesWereKilledTwice() {
        try (Scene scene = Scene.onPostgres(directory)) {
            String[] settings = {"maxExecuting=1000"};
            Child survivor = scene.worker("maxExecuting=400"); // most of what the others lose goes to their successors
            String living = scene.onlyNode();
            List<Child> victims = new ArrayList<>(List.of(scene.worker(settings), scene.worker(settings)));
            int each = 334;
            survivor.order("many a- " + each + " slow:180000 b:1");
            victims.get(0).order("many b- " + each + " slow:180000 b:1");
            victims.get(1).order("many c- " + each + " slow:180000 b:1");
            awaitBegun(scene, 3L * each);
            victims.forEach(Child::kill);
            victims.replaceAll(dead -> scene.worker(settings));
            awaitBegun(scene, 5L * each);
            long lost = executingElsewhere(scene, living);
            assertThat(lost).as("runs that executed on the successors").isGreaterThan(each);
            victims.forEach(Child::kill);
            long killed = System.nanoTime();
            scene.worker(settings);
            scene.worker(settings);
            awaitBegun(scene, 5L * each + lost);
            Duration took = Duration.ofNanos(System.nanoTime() - killed);
            Figures.report(
                    "%d long steps executed again within %s after the second kill of two of three nodes",
                    lost, Figures.of(took.toNanos()));
            assertThat(took).isLessThan(LEASE.multipliedBy(2).plus(MARGIN));
            assertThat(scene.database().statuses()).isEqualTo(Map.of(RunStatus.RUNNING, 3L * each));
        }
    }

    private static void awaitBegun(Scene scene, long steps) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofMillis(200))
                .until(() -> scene.journal()
                                .deeds(deed -> deed.kind() == Deed.Kind.BEGAN)
                                .size()
                        >= steps);
    }

    private static long executingElsewhere(Scene scene, String node) {
        return scene.database()
                .select(
                        "select count(*) from ${prefix}run where status = 1 and owner <> '" + node + "'",
                        row -> row.getLong(1))
                .get(0);
    }
}
