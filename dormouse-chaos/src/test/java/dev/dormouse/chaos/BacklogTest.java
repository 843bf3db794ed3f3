package dev.dormouse.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A node that boots long after everything was due. */
@ExtendWith(LogOnFailure.class)
class BacklogTest {
    private static final int SLOW = 2_000;
    private static final int SOME = 20_000;
    private static final int MANY = 100_000;

    @TempDir
    Path directory;

    @Test
    void backlogOnSqliteIsWorkedOffOldestFirstAndStarvesNobody() {
        try (Scene scene = Scene.onSqlite(directory)) {
            workOff(scene, SOME);
        }
    }

    @Test
    void backlogOnPostgresIsWorkedOffOldestFirstAndStarvesNobody() {
        try (Scene scene = Scene.onPostgres(directory)) {
            workOff(scene, SOME);
        }
    }

    /** All places of the node are taken all the time: each run of the backlog takes a while. */
    @Test
    void newStartIsNotStarvedWhileTheBacklogTakesAllPlaces() {
        try (Scene scene = Scene.onSqlite(directory)) {
            prepare(scene, SLOW, "a:100");
            Child worker = scene.worker("maxExecuting=40");
            awaitBegun(scene, SLOW / 4);
            worker.ask("start fresh new:1");
            scene.awaitCompleted(SLOW + 1, Duration.ofMinutes(1));
            assertNotStarved(begun(scene), SLOW);
        }
    }

    @Test
    @Tag("long")
    void longBacklogOnSqliteIsWorkedOffOldestFirstAndStarvesNobody() {
        try (Scene scene = Scene.onSqlite(directory)) {
            workOff(scene, MANY);
        }
    }

    @Test
    @Tag("long")
    void longBacklogOnPostgresIsWorkedOffOldestFirstAndStarvesNobody() {
        try (Scene scene = Scene.onPostgres(directory)) {
            workOff(scene, MANY);
        }
    }

    private static void workOff(Scene scene, int backlog) {
        Map<UUID, Integer> ranks = prepare(scene, backlog, "a:0");
        Child worker = scene.launch(List.of("-Xmx128m"), "maxExecuting=1000").awaitReady();
        long opened = System.nanoTime();
        awaitBegun(scene, backlog / 4);
        worker.ask("start fresh new:1");
        scene.awaitCompleted(backlog + 1, Duration.ofMinutes(5));

        List<Deed> begun = begun(scene);
        assertOldestFirst(begun, ranks);
        assertNotStarved(begun, backlog);
        scene.assertHistoriesAgreeWithJournal();
        long last = begun.get(begun.size() - 1).nanos();
        Figures.report(
                "%,d overdue runs on %s: worked off in %s in a heap of 128 MB, %s",
                backlog, scene.isPostgres() ? "PostgreSQL" : "SQLite", Figures.of(last - opened), worker.ask("memory"));
    }

    /** Starts them where no code is, so that they lie there until all are due; tells their order. */
    private static Map<UUID, Integer> prepare(Scene scene, int backlog, String script) {
        Child starter = scene.worker("code=none");
        starter.order("later due- " + backlog + " 1000 50 " + script);
        starter.closeGently();
        List<UUID> byAlarm = scene.database()
                .select("select run_id from ${prefix}run order by wake_at", row -> Database.uuid(row.getObject(1)));
        Map<UUID, Integer> ranks = new HashMap<>();
        byAlarm.forEach(run -> ranks.put(run, ranks.size()));
        return ranks;
    }

    private static void awaitBegun(Scene scene, int number) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> begun(scene).size() >= number);
    }

    private static List<Deed> begun(Scene scene) {
        List<Deed> begun = new ArrayList<>(scene.journal().deeds(Deed.Kind.BEGAN));
        begun.sort(Comparator.comparingLong(Deed::nanos));
        return begun;
    }

    /** No run comes earlier or later than its turn by more than what executes at a time, which is 1,000. */
    private static void assertOldestFirst(List<Deed> begun, Map<UUID, Integer> ranks) {
        int place = 0;
        int farthest = 0;
        for (Deed deed : begun) {
            Integer rank = ranks.get(deed.runId());
            if (rank != null) {
                farthest = Math.max(farthest, Math.abs(rank - place++));
            }
        }
        Figures.report("no overdue run came more than %d places from its turn", farthest);
        assertThat(farthest).isLessThan(3_000);
    }

    private static void assertNotStarved(List<Deed> begun, int backlog) {
        int place = 0;
        while (!begun.get(place).name().equals("new")) {
            place++;
        }
        Figures.report("a new start after %,d of %,d overdue runs began as number %,d", backlog / 4, backlog, place);
        assertThat(place).isLessThan(backlog / 4 * 3);
    }
}
