package dev.dormouse.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.Store;
import dev.dormouse.store.queue.QueueClaim;
import dev.dormouse.store.queue.QueueClaimed;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A queue claim stays as cheap as on an empty queue, however many of its runs are due, in lanes of the claiming node or
 * in others, or have later alarms; with plans that were made on empty tables and on full ones.
 */
class QueuePlanTest {
    private static final int MOST_PAGES = 800;

    /** A hundred runs are moved, and each changes several indexes. */
    private static final int MOST_PAGES_OF_MOVES = 4_000;

    private static final QueueClaim.Rate SLOW = new QueueClaim.Rate(1, Duration.ofHours(1));

    private final Recorder recorder = new Recorder(Explained.dataSource());
    private final Map<String, Explained.Plan> plans = new LinkedHashMap<>();
    private String schema;
    private Store store;

    @BeforeEach
    void open() {
        schema = TestPostgres.newSchema();
        store = TestPostgres.open(schema, recorder.dataSource());
        for (String table : List.of("run", "queue", "rate")) {
            execute("alter table %s." + table + " set (autovacuum_enabled = off)");
        }
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void plansHoldWithAHundredThousandQueuedRuns() {
        assertPlansHold(100_000);
    }

    @Test
    @Tag("long")
    void plansHoldWithAMillionQueuedRuns() {
        assertPlansHold(1_000_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 10})
    void plansThatWereMadeOnSmallTablesHoldWhenTheyGrow(int runs) {
        fill(1, runs);
        execute("vacuum analyze %s.run, %s.queue, %s.rate");
        claimInEveryWay();
        fill(runs + 1, 30_000);
        claimInEveryWay();
        assertCheap("made when there were " + runs + " rows");
    }

    private void assertPlansHold(int runs) {
        claimInEveryWay();
        fill(1, runs);
        claimInEveryWay();
        assertCheap("made on empty tables");
        time();
        execute("vacuum analyze %s.run, %s.queue, %s.rate");
        claimInEveryWay();
        assertCheap("made on full tables");
        time();
    }

    private void assertCheap(String made) {
        plans.forEach((name, plan) -> {
            System.out.println(name + " by a plan " + made + ": " + plan.pages() + " pages");
            boolean moves = name.startsWith("move") && plan.sql().contains("update");
            assertThat(plan.pages())
                    .as("pages of %s, %s%n%s", name, made, plan.text())
                    .isLessThan(moves ? MOST_PAGES_OF_MOVES : MOST_PAGES);
            assertThat(plan.text()).doesNotContain("Seq Scan on", "Bitmap", "Merge Join", "Hash Join");
        });
    }

    /** Closed ones; sleepers; due ones in two lanes that are known and one that is not; some under a lease. */
    private void fill(int from, int to) {
        execute("""
                insert into %s.run (shard, run_id, workflow_id, type, lane, owner, status, lease, wake_at, wake_reason,
                    known_seq, checksum, current, created_at, closed_at, refused, trouble, queue, priority, rate_key)
                select 0, ('0180' || lpad(to_hex(i), 12, '0') || left(md5(i::text), 16))::uuid, 'filled-' || i, 'Order',
                    case i % 3 when 0 then 'q@a' when 1 then 'q@b' else 'q@unknown' end, '',
                    case when i % 10 = 0 then 10 when i % 10 = 1 then 3 when i between 12 and 22 then 1 else 0 end,
                    case when i between 12 and 22 and i % 10 > 1 then 5 else 0 end,
                    case when i % 10 = 0 then null when i % 10 in (2, 3) then 4000000000000000 + i
                      when i between 12 and 22 then 4000000000000000 + i else 1000 + i end,
                    case i % 10 when 1 then 1 when 2 then 10 else 0 end,
                    1, 1, true, 1, case i % 10 when 0 then 1 end, '', '', 'q', i % 7, 'k' || i % 1000
                from generate_series(FROM, TO) i
                """.replace("FROM", Integer.toString(from)).replace("TO", Integer.toString(to)));
    }

    private void execute(String sql) {
        TestPostgres.execute(TestPostgres.admin(), sql.replace("%s", new Schema(schema).quoted()));
    }

    private QueueClaimed claim(int limit, int total, QueueClaim.Rate rate, QueueClaim.Rate keyRate, String... lanes) {
        return store.claimQueued(0, Runs.queueClaim("q", limit, total, rate, keyRate, Instant.EPOCH, lanes));
    }

    private void claimInEveryWay() {
        explain("claim ten", () -> claim(10, 500, null, null, "q@a", "q@b", "q@none"));
        explain("claim without a limit", () -> claim(10, 0, null, null, "q@a", "q@b", "q@none"));
        explain("claim of a full queue", () -> claim(10, 1, null, null, "q@a", "q@b"));
        explain("claim with a rate", () -> claim(10, 0, SLOW, null, "q@a", "q@b"));
        explain("claim against a rate", () -> claim(10, 0, SLOW, null, "q@a", "q@b"));
        explain("claim of nothing", () -> claim(10, 500, SLOW, SLOW, "q@none", "q@nothing"));
        explain("move those without room", () -> claim(20, 0, null, SLOW, "q@a", "q@b"));
        explain("move more without room", () -> claim(20, 0, null, SLOW, "q@a", "q@b"));
    }

    private void explain(String name, Runnable operation) {
        recorder.take();
        operation.run();
        List<Explained.Plan> used = Explained.all(recorder.take());
        for (int i = 0; i < used.size(); i++) {
            plans.put(name + ", statement " + (i + 1), used.get(i));
        }
    }

    /** Prints how long whole transactions take, without the pages being counted. */
    private void time() {
        try (Store plain = TestPostgres.open(schema)) {
            String[] lanes = {"q@a", "q@b", "q@none"};
            Instant all = Instant.EPOCH;
            time("claim of one", () -> plain.claimQueued(0, Runs.queueClaim("q", 1, 100_000, all, lanes)));
            time("claim of ten", () -> plain.claimQueued(0, Runs.queueClaim("q", 10, 100_000, all, lanes)));
            time("claim of a full queue", () -> plain.claimQueued(0, Runs.queueClaim("q", 10, 1, all, lanes)));
            time(
                    "claim against a rate",
                    () -> plain.claimQueued(0, Runs.queueClaim("q", 1, 0, SLOW, null, all, "q@a")));
        }
    }

    private static void time(String name, Runnable claim) {
        long[] nanos = new long[51];
        for (int i = 0; i < nanos.length; i++) {
            long start = System.nanoTime();
            claim.run();
            nanos[i] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        System.out.printf(
                "%s: median %.2f ms, longest %.2f ms%n",
                name, nanos[nanos.length / 2] / 1e6, nanos[nanos.length - 1] / 1e6);
    }
}
