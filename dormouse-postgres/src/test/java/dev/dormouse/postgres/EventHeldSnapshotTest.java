package dev.dormouse.postgres;

import static dev.dormouse.postgres.Runs.LEASE;
import static dev.dormouse.postgres.Runs.many;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.Store;
import dev.dormouse.store.event.PastEvent;
import dev.dormouse.store.event.Subscription;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Another session holds an old snapshot, so that expired subscriptions and events stay in their indexes after they are
 * deleted. Later statements do not read them again.
 */
class EventHeldSnapshotTest {
    private static final int GONE = 20_000;

    private final String schema = TestPostgres.newSchema();
    private final Recorder recorder = new Recorder(Explained.dataSource());

    @Test
    void rowsThatAreGoneAreLookedAtOnceOnly() throws SQLException {
        try (Store store = TestPostgres.open(schema, recorder.dataSource());
                Connection holder = TestPostgres.connect();
                Statement statement = holder.createStatement()) {
            fill();
            holder.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            holder.setAutoCommit(false);
            statement.execute("select count(*) from " + schema + ".subscription");
            TestPostgres.execute(
                    TestPostgres.engine(),
                    "delete from SCHEMA.subscription; delete from SCHEMA.past_event".replace("SCHEMA", schema));
            assertLaterOnesAreCheap(i -> store.subscribe(0, subscriptions(i)));
            assertLaterOnesAreCheap(i -> store.remember(0, events(i), LEASE));
        }
    }

    /** One or two. */
    private static List<Subscription> subscriptions(int i) {
        return many(1 + i % 2, j -> Runs.subscription("wf-" + i, "id-" + j, "k", null));
    }

    private static List<PastEvent> events(int i) {
        return many(1 + i % 2, j -> new PastEvent("paid", "id-" + i + "-" + j, new byte[1]));
    }

    private void fill() {
        TestPostgres.execute(
                TestPostgres.engine(), """
                insert into SCHEMA.subscription (shard, workflow_id, id, event, key, match, until)
                select 0, 'old-' || i, '1', 'paid', 'old', '', 1000 + i from generate_series(1, GONE) i;
                insert into SCHEMA.past_event (shard, event, id, at, until, payload)
                select 0, 'old', 'old-' || i, 1000, 1000 + i, '' from generate_series(1, GONE) i;
                """.replace("SCHEMA", schema).replace("GONE", Integer.toString(GONE)));
    }

    private interface Coming {
        void run(int i);
    }

    private void assertLaterOnesAreCheap(Coming coming) {
        long first = pages(coming, 0);
        assertThat(first).isGreaterThan(200);
        for (int i = 1; i < 10; i++) {
            assertThat(pages(coming, i)).isLessThan(60);
        }
    }

    private long pages(Coming coming, int i) {
        recorder.take();
        coming.run(i);
        return Explained.all(recorder.take()).get(0).pages();
    }
}
