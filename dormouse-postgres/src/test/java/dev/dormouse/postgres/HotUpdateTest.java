package dev.dormouse.postgres;

import static dev.dormouse.postgres.Runs.many;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.dormouse.store.Store;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Start;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class HotUpdateTest {

    /** PostgreSQL calls it a HOT update: the new version of the row has room on its page, and no index is touched. */
    @Test
    void mostStepsThatKeepTheAlarmTouchNoIndex() {
        int runs = 200;
        int steps = 5;
        String schema = TestPostgres.newSchema();
        try (Store store = TestPostgres.open(schema)) {
            List<Start> starts = many(runs, i -> Runs.leased("wf-" + i, 7));
            store.start(0, starts);
            for (int step = 1; step <= steps; step++) {
                int seq = step;
                assertThat(store.commit(
                                0,
                                starts.stream().map(start -> step(start, seq)).toList()))
                        .hasOnlyElementsOfType(CommitOutcome.Committed.class);
            }
        }
        String stats = "from pg_stat_user_tables where relname = 'run' and schemaname = '" + schema + "'";
        await().atMost(Duration.ofSeconds(20))
                .until(() -> TestPostgres.query("select n_tup_upd " + stats).equals(Integer.toString(runs * steps)));
        assertThat(Integer.parseInt(TestPostgres.query("select n_tup_hot_upd " + stats)))
                .isGreaterThan(runs * steps / 2);
    }

    private static Commit step(Start start, int seq) {
        return new Commit(start.runId(), Fence.of(7, seq), Runs.events(1), 0, NextState.running(7), List.of());
    }
}
