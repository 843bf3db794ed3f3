package dev.dormouse.postgres;

import static dev.dormouse.postgres.Runs.LEASE;
import static dev.dormouse.postgres.Runs.many;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.Store;
import dev.dormouse.store.event.PastEvent;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Plans that were made while all subscriptions are of one event and all past events have one name. They must still be
 * good for an event with few of many subscriptions.
 */
class EventPlanTest {
    private static final int OTHERS = 30_000;

    private final String schema = TestPostgres.newSchema();
    private final Recorder recorder = new Recorder(Explained.dataSource());

    @ParameterizedTest
    @ValueSource(ints = {1, 30, 300, 3_000})
    void plansThatWereMadeForOneEventHoldWhenThereAreOthers(int rows) {
        try (Store store = TestPostgres.open(schema, recorder.dataSource())) {
            execute("alter table SCHEMA.subscription set (autovacuum_enabled = off)");
            execute("alter table SCHEMA.past_event set (autovacuum_enabled = off)");
            fill("paid", rows);
            execute("vacuum analyze SCHEMA.subscription, SCHEMA.past_event");
            use(store, 1);
            fill("sent", OTHERS);
            assertThat(use(store, 2))
                    .allSatisfy(plan -> assertThat(plan.pages()).as(plan.text()).isLessThan(100))
                    .hasSize(7);
        }
    }

    /** Each expired row is compared with the whole batch at once. */
    @Test
    void largeBatchForgetsManyButNoneThatComesAgain() {
        try (Store store = TestPostgres.open(schema, recorder.dataSource())) {
            execute("""
                    insert into SCHEMA.subscription (shard, workflow_id, id, event, key, match, until)
                    select 0, 'wf-' || i, '1', 'paid', 'old', '', 1000 + i from generate_series(1, 15000) i;
                    insert into SCHEMA.past_event (shard, event, id, at, until, payload)
                    select 0, 'paid', 'id-' || i, 1000, 1000 + i, '' from generate_series(1, 15000) i
                    """);
            recorder.take();
            store.subscribe(0, many(1_000, i -> Runs.subscription("wf-" + (14_501 + i), "1", "new", null)));
            store.remember(0, many(1_000, i -> new PastEvent("paid", "id-" + (14_501 + i), new byte[1])), LEASE);
            assertThat(Explained.all(recorder.take()))
                    .allSatisfy(plan ->
                            assertThat(plan.text()).contains("hashed SubPlan").doesNotContain("Seq Scan on"))
                    .hasSize(2);
        }
        assertThat(count("subscription where key = 'old' and workflow_id > 'wf-14500'"))
                .isEqualTo("500");
        assertThat(count("subscription where key = 'old'")).isEqualTo("500");
        assertThat(count("subscription where key = 'new'")).isEqualTo("500");
        assertThat(count("past_event where at = 1000 and id > 'id-14500'")).isEqualTo("500");
        assertThat(count("past_event where at = 1000")).isEqualTo("500");
        assertThat(count("past_event where id like 'id-%' and at > 1000")).isEqualTo("500");
    }

    private List<Explained.Plan> use(Store store, int round) {
        recorder.take();
        store.subscribe(0, List.of(Runs.subscription("zz-" + round, "1", "k", null)));
        store.subscribe(0, many(4, i -> Runs.subscription("zz-" + round, Integer.toString(i), "k", null)));
        store.subscriptions(0, "paid", List.of("k", "l"), Runs.subscription("zz", "1", "k", null), 10);
        store.unsubscribe(0, List.of(Runs.subscription("zz-" + round, "1", "k", null)));
        store.remember(0, List.of(new PastEvent("paid", "zz-" + round, new byte[1])), LEASE);
        store.remember(0, many(4, i -> new PastEvent("paid", "zz-" + round + "-" + i, new byte[1])), LEASE);
        store.recall(0, "paid", LEASE, 10);
        return Explained.all(recorder.take());
    }

    private void fill(String event, int rows) {
        execute("""
                insert into SCHEMA.subscription (shard, workflow_id, id, event, key, match)
                select 0, 'zzz-EVENT-' || i, '1', 'EVENT', 'k', '' from generate_series(1, ROWS) i
                on conflict do nothing;
                insert into SCHEMA.past_event (shard, event, id, at, until, payload)
                select 0, 'EVENT', 'id-' || i, 1000 + i, 4000000000000000, '' from generate_series(1, ROWS) i
                on conflict do nothing
                """.replace("EVENT", event).replace("ROWS", Integer.toString(rows)));
    }

    private String count(String rows) {
        return TestPostgres.query("select count(*) from " + schema + "." + rows);
    }

    private void execute(String sql) {
        TestPostgres.execute(TestPostgres.admin(), sql.replace("SCHEMA", schema));
    }
}
