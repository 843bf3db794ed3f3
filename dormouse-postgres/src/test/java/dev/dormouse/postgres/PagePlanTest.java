package dev.dormouse.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.Count;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.Store;
import dev.dormouse.store.page.DueCounts;
import dev.dormouse.store.page.DuePage;
import dev.dormouse.store.page.DuePlace;
import dev.dormouse.store.page.PageStore;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.page.RunPage;
import dev.dormouse.store.page.StatusCounts;
import dev.dormouse.store.run.RunKind;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Read-only queries for dashboards cost the same for any number of runs and timers: they read a bounded number of pages
 * by an index, with plans that were made on empty tables and on full ones.
 */
class PagePlanTest {
    /** Of the alarms that a histogram looks at, each may be on another page. */
    private static final int MOST_PAGES = 40_000;

    private static final Set<RunKind> WORKFLOWS = Set.of(RunKind.WORKFLOW);
    private static final Set<RunStatus> TROUBLED = Set.of(RunStatus.FAILED, RunStatus.TIMED_OUT, RunStatus.STUCK);

    private final Recorder recorder = new Recorder(Explained.dataSource());
    private final Map<String, Explained.Plan> plans = new LinkedHashMap<>();
    private String schema;
    private Store store;
    private Instant now;

    @BeforeEach
    void open() {
        schema = TestPostgres.newSchema();
        store = TestPostgres.open(schema, recorder.dataSource());
        now = store.renew(0, List.of(), Duration.ofSeconds(15)).now();
        for (String table : List.of("run", "node", "tally")) {
            execute("alter table %s." + table + " set (autovacuum_enabled = off)");
        }
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void plansHoldWithFiftyThousandRunsAndAsManyTimers() {
        assertPlansHold(50_000);
    }

    @Test
    @Tag("long")
    void plansHoldWithAMillionRunsAndAMillionTimers() {
        assertPlansHold(1_000_000);
    }

    private void assertPlansHold(int number) {
        askInEveryWay(store);
        fill(number);
        askInEveryWay(store);
        assertCheap("made on empty tables");
        execute("vacuum analyze %s.run, %s.node, %s.tally");
        askInEveryWay(store);
        assertCheap("made on full tables");
        time();
        assertEstimates(number);
    }

    private void assertCheap(String made) {
        plans.forEach((name, plan) -> {
            System.out.println(name + " by a plan " + made + ": " + plan.pages() + " pages");
            assertThat(plan.pages())
                    .as("pages of %s, %s%n%s", name, made, plan.text())
                    .isLessThan(MOST_PAGES);
            assertThat(plan.text())
                    .doesNotContain("Seq Scan on run", "Seq Scan on tally", "Bitmap", "Merge Join", "Hash Join");
        });
    }

    /**
     * Workflows in ten lanes: closed ones, some in trouble, some that execute, sleepers over a week, some that wait for mail
     * alone. Timers in ten lanes, over a week. Tallies of ten nodes for a day.
     */
    private void fill(int number) {
        execute("""
                insert into %s.run (shard, run_id, workflow_id, type, lane, owner, status, lease, wake_at, wake_reason,
                    known_seq, checksum, current, created_at, closed_at, refused, trouble)
                select 0, ('0180' || lpad(to_hex(i), 12, '0') || left(md5(i::text), 16))::uuid, 'filled-' || i,
                    'Order' || i % 10, 'Order' || i % 10, '',
                    case when i % 1000 = 7 then 11 when i % 10000 = 8 then 4 when i % 10000 = 9 then 13
                      when i % 10 < 5 then 10 when i <= 2000 then 1 else 3 end,
                    case when i <= 2000 and i % 10 >= 5 then 5 else 0 end,
                    case when i % 10 < 5 or i % 1000 = 7 or i % 10000 in (8, 9) then null
                      when i <= 2000 then NOW + 5000000 + i when i % 10 = 9 then null
                      else NOW + 604800000000 / NUMBER * i end,
                    case when i <= 2000 then 4 else 1 end,
                    1, 1, true, NOW - 3600000000, case when i % 10 < 5 then NOW end, '', ''
                from generate_series(1, NUMBER) i
                """, number);
        execute("""
                insert into %s.run (shard, run_id, workflow_id, type, lane, owner, status, lease, wake_at, wake_reason,
                    known_seq, checksum, current, created_at, refused, trouble)
                select 0, ('0190' || lpad(to_hex(i), 12, '0') || left(md5(i::text), 16))::uuid, '!timer-' || i,
                    '!handler' || i % 10, '!handler' || i % 10, '', 0, 0,
                    NOW + 604800000000 / NUMBER * (hashint4(i)::int8 & 1048575) * NUMBER / 1048576, 0,
                    1, 1, true, NOW - 3600000000, '', ''
                from generate_series(1, NUMBER) i
                """, number);
        execute("""
                insert into %s.tally
                select NOW / 10000000 * 10000000 - s::int8 * 10000000, 1, 1, 1, 1, 1, 1, 1, 0, 10, 'node-' || n,
                    array_fill(1::bigint, array[16])
                from generate_series(0, 719) s, generate_series(1, 10) n
                """, number);
    }

    private void execute(String sql, int number) {
        long micros = now.getEpochSecond() * 1_000_000;
        execute(sql.replace("NOW", Long.toString(micros)).replace("NUMBER", Integer.toString(number)));
    }

    private void execute(String sql) {
        TestPostgres.execute(TestPostgres.admin(), sql.replace("%s", new Schema(schema).quoted()));
    }

    private void askInEveryWay(Store of) {
        questions(of).forEach((name, question) -> explain(name, question));
    }

    private Map<String, Runnable> questions(Store of) {
        PageStore pages = of.pages();
        Map<String, Runnable> questions = new LinkedHashMap<>();
        questions.put("first page of what is due", () -> pages.due(0, RunKind.TIMED, null, 50));
        questions.put(
                "later page of what is due",
                () -> pages.due(0, RunKind.TIMED, DuePlace.behind(now.plus(Duration.ofDays(3))), 50));
        questions.put("large page of timers", () -> pages.due(0, Set.of(RunKind.TIMER), null, 1_000));
        questions.put("histogram of an hour", () -> histogram(pages, Duration.ofHours(1)));
        questions.put("histogram of a week", () -> histogram(pages, Duration.ofDays(7)));
        questions.put("last alarm", () -> pages.lastDue(0, RunKind.TIMED));
        questions.put("overdue lanes", () -> pages.overdueLanes(0, now.plus(Duration.ofDays(8))));
        questions.put("census", () -> pages.census(0, WORKFLOWS));
        questions.put(
                "tallies of an hour", () -> pages.tallies(0, Duration.ofSeconds(10), now.minusSeconds(3_600), now));
        questions.put("runs in trouble", () -> list(of, new RunFilter(null, null, TROUBLED, true)));
        questions.put("newest workflows", () -> list(of, new RunFilter(null, null, Set.of(), true)));
        questions.put("workflows by id", () -> list(of, new RunFilter("filled-77", null, Set.of(), true)));
        return questions;
    }

    private DueCounts histogram(PageStore pages, Duration span) {
        List<Instant> bounds = IntStream.rangeClosed(0, 60)
                .mapToObj(i -> now.plus(span.multipliedBy(i).dividedBy(60)))
                .toList();
        return pages.dueCounts(0, RunKind.TIMED, now, bounds);
    }

    private static RunPage list(Store store, RunFilter filter) {
        return store.list(0, filter, Optional.empty(), 50);
    }

    private void explain(String name, Runnable question) {
        recorder.take();
        question.run();
        List<Explained.Plan> used = Explained.all(recorder.take());
        for (int i = 0; i < used.size(); i++) {
            plans.put(name + ", statement " + (i + 1), used.get(i));
        }
    }

    private void time() {
        try (Store plain = TestPostgres.open(schema)) {
            questions(plain).forEach((name, question) -> {
                question.run();
                long best = Long.MAX_VALUE;
                for (int i = 0; i < 5; i++) {
                    long begun = System.nanoTime();
                    question.run();
                    best = Math.min(best, System.nanoTime() - begun);
                }
                System.out.printf("%s takes %.1f ms%n", name, best / 1e6);
            });
        }
    }

    private void assertEstimates(int number) {
        PageStore pages = store.pages();
        DueCounts week = histogram(pages, Duration.ofDays(7));
        long all = week.buckets().stream().mapToLong(Count::count).sum();
        System.out.println("Due within a week, of " + 1.4 * number + ": " + all);
        assertThat((double) all).isBetween(0.9 * 1.4 * number, 1.1 * 1.4 * number);
        StatusCounts census = pages.census(0, WORKFLOWS);
        System.out.println(census);
        assertThat(census.waiting().exact()).isFalse();
        assertThat((double) census.waiting().count()).isBetween(0.4 * number, 0.6 * number);
        assertThat(census.running()).isEqualTo(Count.exactly(996));
        assertThat(census.failed().count()).isEqualTo(number / 1_000 + number / 10_000);
        DuePage<RunRow> page = pages.due(0, RunKind.TIMED, null, 50);
        assertThat(page.items()).hasSize(50);
    }
}
