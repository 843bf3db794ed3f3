package dev.dormouse.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.SqlTimerId;
import dev.dormouse.postgres.sqltimers.SqlTimerNode;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
import dev.dormouse.store.page.DuePlace;
import dev.dormouse.store.timer.SqlTimerStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Looking at timers that were set in SQL costs the same however many there are, by plans made on empty tables too. */
class SqlTimerPagePlanTest {
    private static final int MOST_PAGES = 40_000;
    private static final String DATABASE = "sql_timer_pages";

    private final Instant now = Instant.now();

    @Test
    void plansHoldWithSixtyThousandTimers() {
        assertPlansHold(60_000);
    }

    @Test
    @Tag("long")
    void plansHoldWithAMillionTimers() {
        assertPlansHold(1_000_000);
    }

    private void assertPlansHold(int number) {
        String database = DATABASE + number;
        TestPostgres.execute(TestPostgres.admin(), "create database " + database);
        DataSource admin = TestPostgres.admin(database);
        PGSimpleDataSource engine = (PGSimpleDataSource) Explained.dataSource();
        engine.setDatabaseName(database);
        TestPostgres.execute(admin, "create schema timers authorization " + TestPostgres.ROLE);
        TestPostgres.execute(admin, "create schema dormouse authorization " + TestPostgres.ROLE);
        TestPostgres.execute(admin, "set role " + TestPostgres.ROLE + "; " + SqlTimerNode.script());
        TestPostgres.execute(admin, "alter table timers.timers set (autovacuum_enabled = off)");
        Recorder recorder = new Recorder(engine);
        try (Store store = new PostgresStoreProvider()
                .open(new StoreConfig(
                        "", Optional.of(recorder.dataSource()), "dormouse", 1, true, InstantSource.system()))) {
            explain(recorder, store.sqlTimers());
            fill(admin, number);
            assertCheap("made on empty tables", explain(recorder, store.sqlTimers()));
            TestPostgres.execute(admin, "vacuum analyze timers.timers");
            assertCheap("made on full tables", explain(recorder, store.sqlTimers()));
            time(store.sqlTimers());
        }
    }

    /** Actions of ten roles over a week, some of them apart, timers of ten handlers, as many that have ended, a crowd. */
    private static void fill(DataSource admin, int number) {
        TestPostgres.execute(admin, """
                set session_replication_role = replica;
                insert into timers.timers (fire_at, action, handler, scheduled_by, apart, status, fired_at)
                select now() + (hashint4(i)::int8 & 1048575) * interval '7 days' / 1048576,
                    case when i % 4 <> 0 then 'select ' || i end, case when i % 4 = 0 then 'handler' || i % 10 end,
                    'role' || i % 10, i % 4 = 1, i / 4 % 2, case when i / 4 % 2 = 1 then now() end
                from generate_series(1, NUMBER) i;
                insert into timers.timers (fire_at, action, scheduled_by)
                select now() + interval '3 days', 'select 1', 'crowd' from generate_series(1, NUMBER / 10) i;
                """.replace("NUMBER", Integer.toString(number)));
    }

    private Map<String, Runnable> questions(SqlTimerStore timers) {
        Map<String, Runnable> questions = new LinkedHashMap<>();
        questions.put("first page", () -> timers.due(null, 50));
        questions.put("later page", () -> timers.due(DuePlace.behind(now.plus(Duration.ofDays(2))), 50));
        questions.put("large page", () -> timers.due(null, 1_000));
        questions.put("histogram of an hour", () -> histogram(timers, Duration.ofHours(1)));
        questions.put("histogram of a week", () -> histogram(timers, Duration.ofDays(7)));
        questions.put("last", timers::lastDue);
        questions.put("one", () -> timers.get(new SqlTimerId(0, 17)));
        return questions;
    }

    private void histogram(SqlTimerStore timers, Duration span) {
        List<Instant> bounds = IntStream.rangeClosed(0, 60)
                .mapToObj(i -> now.plus(span.multipliedBy(i).dividedBy(60)))
                .toList();
        timers.dueCounts(now, bounds);
    }

    private Map<String, Explained.Plan> explain(Recorder recorder, SqlTimerStore timers) {
        Map<String, Explained.Plan> plans = new LinkedHashMap<>();
        questions(timers).forEach((name, question) -> {
            recorder.take();
            question.run();
            List<Explained.Plan> used = Explained.all(recorder.take());
            for (int i = 0; i < used.size(); i++) {
                plans.put(name + ", statement " + (i + 1), used.get(i));
            }
        });
        return plans;
    }

    private static void assertCheap(String made, Map<String, Explained.Plan> plans) {
        plans.forEach((name, plan) -> {
            System.out.println(name + " by a plan " + made + ": " + plan.pages() + " pages");
            assertThat(plan.pages())
                    .as("pages of %s, %s%n%s", name, made, plan.text())
                    .isLessThan(MOST_PAGES);
            assertThat(plan.text()).as(name).doesNotContain("Seq Scan on timers", "Bitmap", "Merge Join", "Hash Join");
        });
    }

    private void time(SqlTimerStore timers) {
        questions(timers).forEach((name, question) -> {
            long best = Long.MAX_VALUE;
            for (int i = 0; i < 5; i++) {
                long begun = System.nanoTime();
                question.run();
                best = Math.min(best, System.nanoTime() - begun);
            }
            System.out.printf("%s takes %.1f ms, explained%n", name, best / 1e6);
        });
    }
}
