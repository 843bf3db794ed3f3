package dev.dormouse.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.Store;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every statement stays as cheap as on empty tables: with plans that were made while the tables were empty and never
 * analyzed since, and with plans made later.
 */
class PlanTest {
    /**
     * Far below what any scan of the tables would cost, and above what a batch of ten costs while it also removes 200
     * subscriptions that have ended, with four pages for each.
     */
    private static final int MOST_PAGES = 1_000;

    private static final List<String> TABLES = List.of(
            "run",
            "history",
            "inbox",
            "outbox",
            "question",
            "note",
            "queue",
            "rate",
            "subscription",
            "past_event",
            "definition");

    private final Recorder recorder = new Recorder(Explained.dataSource());
    private final Map<String, Explained.Plan> plans = new LinkedHashMap<>();
    private String schema;
    private Store store;
    private int round;

    @BeforeEach
    void open() {
        schema = TestPostgres.newSchema();
        store = TestPostgres.open(schema, recorder.dataSource());
        TABLES.forEach(table -> execute("alter table %s." + table + " set (autovacuum_enabled = off)"));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void plansHoldWithAHundredThousandRuns() {
        assertPlansHold(100_000);
    }

    @Test
    @Tag("long")
    void plansHoldWithAMillionRuns() {
        assertPlansHold(1_000_000);
    }

    /**
     * A plan that was made when the statistics say "one row" is the worst one, until the tables are analyzed again: the
     * planner then estimates that a table scan costs no more than an index.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 10})
    void plansThatWereMadeOnSmallTablesHoldWhenTheyGrow(int runs) {
        fill(1, runs);
        analyze();
        useEverything();
        fill(runs + 1, 30_000);
        useEverything();
        assertCheap("made when there were " + runs + " rows");
    }

    private void assertPlansHold(int runs) {
        useEverything();
        fill(1, runs);
        useEverything();
        assertCheap("made on empty tables");
        analyze();
        useEverything();
        assertCheap("made on full tables");
    }

    private void analyze() {
        execute("vacuum analyze " + TABLES.stream().map("%s."::concat).collect(Collectors.joining(", ")));
    }

    private void assertCheap(String made) {
        plans.forEach((name, plan) -> {
            System.out.println(name + " by a plan " + made + ": " + plan.pages() + " pages");
            assertThat(plan.pages())
                    .as("pages of %s, %s%n%s", name, made, plan.text())
                    .isLessThan(MOST_PAGES);
            assertThat(plan.text()).doesNotContain("Seq Scan on", "Bitmap", "Merge Join");
            if (!plan.sql().contains("on conflict do nothing")) {
                assertThat(plan.text()).doesNotContain("Hash Join");
            }
        });
    }

    /** Sleepers, overdue ones in two lanes, leased ones, stuck ones, closed ones, replaced ones. */
    private void fill(int from, int to) {
        execute("""
                insert into %s.run (shard, run_id, workflow_id, type, lane, owner, status, lease, wake_at, wake_reason,
                    known_seq, checksum, current, created_at, closed_at, refused, trouble, mail)
                select 0, ('0180' || lpad(to_hex(i), 12, '0') || left(md5(i::text), 16))::uuid, 'filled-' || i, 'Order',
                    case i % 3 when 0 then 'order' when 1 then 'other' else 'order~' end, '',
                    case i % 10 when 0 then 10 when 1 then 4 when 2 then 1 else 3 end,
                    case i % 10 when 2 then 5 else 0 end,
                    case i % 10 when 0 then null when 3 then 1000 + i else 4000000000000000 + i end, 1,
                    1, 1, i % 20 <> 0, 1, case i % 10 when 0 then 1 end, 'build', '', 1
                from generate_series(FROM, TO) i
                """.replace("FROM", Integer.toString(from)).replace("TO", Integer.toString(to)));
        execute("""
                insert into %s.history (shard, run_id, seq, events, at, checksum, payload)
                select 0, run_id, 0, 1, 1, 1, '\\x00' from %s.run where workflow_id like 'filled-%%'
                on conflict do nothing""");
        execute("""
                insert into %s.inbox (shard, workflow_id, key, kind, position, accepted_at, payload)
                select 0, workflow_id, 'k', 1, 1, 1, '' from %s.run where workflow_id like 'filled-%%' and current
                on conflict do nothing""");
        execute("""
                insert into %s.outbox (shard, id, at, place, kind, workflow_id, payload)
                select 0, run_id, row_number() over (), 1, 1, workflow_id, '' from %s.run
                on conflict do nothing
                """);
        execute("""
                insert into %s.question (shard, id, run_id, workflow_id, lane, asked_at, payload, answer)
                select 0, run_id, run_id, workflow_id, lane, 4000000000000000 + row_number() over (), '',
                    case when status = 3 then '\\x01'::bytea end
                from %s.run
                on conflict do nothing
                """);
        execute("""
                insert into %s.note (shard, run_id, lease, call, attempt, payload)
                select 0, run_id, 1, 1, 1, '' from %s.run
                on conflict do nothing
                """);
        fillEvents();
    }

    /** Subscriptions to one event with many keys, events of one name, versions of one definition; some of them old. */
    private void fillEvents() {
        execute("""
                insert into %s.subscription (shard, workflow_id, id, event, key, match, until)
                select 0, workflow_id, 'id-1', 'paid', 'key-' || status, '',
                    case status when 3 then null when 4 then 1000 else 4000000000000000 end
                from %s.run where current
                on conflict do nothing
                """);
        execute("""
                insert into %s.past_event (shard, event, id, at, until, payload)
                select 0, 'paid', workflow_id, 1000, case status when 4 then 1000 else 4000000000000000 end, ''
                from %s.run where current
                on conflict do nothing
                """);
        execute("""
                insert into %s.definition (shard, name, version, defined_at, body)
                select 0, case status when 3 then 'same' else workflow_id end, row_number() over (), 1000, ''
                from %s.run where current
                on conflict do nothing
                """);
    }

    private void execute(String sql) {
        String name = new Schema(schema).quoted();
        TestPostgres.execute(TestPostgres.admin(), sql.replace("%s", name).replace("%%", "%"));
    }

    /** Records the plan of each statement of an operation. */
    private void explain(String name, Runnable operation) {
        recorder.take();
        operation.run();
        List<Explained.Plan> used = Explained.all(recorder.take());
        for (int i = 0; i < used.size(); i++) {
            plans.put(i == 0 ? name : name + ", statement " + (i + 1), used.get(i));
        }
    }

    private void useEverything() {
        new EveryOperation(store, "round-" + ++round + "-", this::explain).run();
    }
}
