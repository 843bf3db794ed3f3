package dev.dormouse.postgres;

import static dev.dormouse.postgres.Runs.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.Store;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.InboxMessage;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * One workflow id with a hundred thousand items: reading a page of them and adding more costs as much as with a small
 * inbox. With plans that were made while the inbox was empty, and with plans made after that.
 */
class CrowdedInboxTest {
    private static final int ITEMS = 100_000;
    private static final int PAGE = 1_000;

    private final Recorder recorder = new Recorder(Explained.dataSource());
    private final String schema = TestPostgres.newSchema();
    private Store store;
    private int keys = ITEMS;

    @BeforeEach
    void openAndPlanOnEmptyTables() {
        store = TestPostgres.open(schema, recorder.dataSource());
        TestPostgres.execute(TestPostgres.admin(), "alter table " + schema + ".inbox set (autovacuum_enabled = off)");
        store.start(0, List.of(Runs.leased("crowded", 7)));
        store.mail(0, "crowded", 0, PAGE);
        deliver(1, DeliverOutcome.Accepted.class);
        TestPostgres.execute(TestPostgres.admin(), """
                insert into SCHEMA.inbox (shard, workflow_id, key, kind, position, accepted_at, payload)
                select 0, 'crowded', 'k' || (i * 7919 % 100000), 1, i + 2, 1, '' from generate_series(0, 99998) i;
                update SCHEMA.run set mail = 100000 where workflow_id = 'crowded';
                """.replace("SCHEMA", schema));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private List<DeliverOutcome> deliver(int items, Class<? extends DeliverOutcome> expected) {
        recorder.take();
        List<DeliverOutcome> outcomes = store.deliver(0, Runs.signals("crowded", keys, keys + items), LEASE);
        assertThat(outcomes).hasSize(items).hasOnlyElementsOfType(expected);
        return outcomes;
    }

    @Test
    void pageIsOneScanOfAnIndex() {
        assertPagesAreCheap();
        analyze();
        assertPagesAreCheap();
    }

    private void assertPagesAreCheap() {
        for (int after : List.of(0, ITEMS / 2, ITEMS - PAGE)) {
            recorder.take();
            List<InboxMessage> page = store.mail(0, "crowded", after, PAGE);
            assertThat(page)
                    .hasSize(PAGE)
                    .first()
                    .extracting(InboxMessage::position)
                    .isEqualTo(after + 1L);
            Explained.Plan plan = onlyPlan();
            assertThat(plan.text())
                    .contains("Index Scan using inbox_position")
                    .doesNotContain("Sort", "Removed by Filter");
            assertThat(plan.pages()).isLessThan(100);
        }
    }

    @Test
    void moreItemsCostAsMuchAsInASmallInbox() {
        assertDeliveriesAreCheap();
        analyze();
        assertDeliveriesAreCheap();
    }

    /** Some pages of two indexes for each item, and none for each pair of items. */
    private void assertDeliveriesAreCheap() {
        keys += ITEMS;
        deliver(PAGE, DeliverOutcome.Accepted.class);
        Explained.Plan plan = onlyPlan();
        System.out.println("delivery of " + PAGE + " items to a crowded inbox: " + plan.pages() + " pages");
        assertThat(plan.pages()).as(plan.text()).isLessThan(20L * PAGE);
        deliver(PAGE, DeliverOutcome.Duplicate.class);
        for (Explained.Plan again : Explained.all(recorder.take())) {
            System.out.println("the same again: " + again.pages() + " pages");
            assertThat(again.pages()).as(again.text()).isLessThan(20L * PAGE);
        }
    }

    private Explained.Plan onlyPlan() {
        List<Explained.Plan> plans = Explained.all(recorder.take());
        assertThat(plans).hasSize(1);
        return plans.get(0);
    }

    private void analyze() {
        TestPostgres.execute(TestPostgres.admin(), "vacuum analyze " + schema + ".inbox");
    }
}
