package dev.dormouse.postgres;

import static dev.dormouse.postgres.Runs.LEASE;
import static dev.dormouse.postgres.Runs.many;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.dormouse.store.Store;
import dev.dormouse.store.run.DeliverOutcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HotUpdateTest {

    /** PostgreSQL calls it a HOT update: the new version of the row has room on its page, and no index is touched. */
    @Test
    void mostMessagesToExecutingRunsTouchNoIndexOfTheirRows() {
        int runs = 200;
        int rounds = 5;
        int batch = 10;
        String schema = TestPostgres.newSchema();
        try (Store store = TestPostgres.open(schema)) {
            store.start(0, many(runs, i -> Runs.leased("wf-" + i, 7)));
            for (int round = 0; round < rounds; round++) {
                String key = "k" + round;
                for (int from = 0; from < runs / batch; from++) {
                    int first = from;
                    assertThat(store.deliver(
                                    0, many(batch, i -> Runs.signal("wf-" + (first + i * runs / batch), key)), LEASE))
                            .hasOnlyElementsOfType(DeliverOutcome.Accepted.class);
                }
            }
        }
        String stats = "from pg_stat_user_tables where relname = 'run' and schemaname = '" + schema + "'";
        await().atMost(Duration.ofSeconds(20))
                .until(() -> TestPostgres.query("select n_tup_upd " + stats).equals(Integer.toString(runs * rounds)));
        assertThat(Integer.parseInt(TestPostgres.query("select n_tup_hot_upd " + stats)))
                .isGreaterThan(runs * rounds / 2);
    }
}
