package dev.dormouse.postgres;

import static dev.dormouse.postgres.Runs.LANE;
import static dev.dormouse.postgres.Runs.LEASE;
import static dev.dormouse.postgres.Runs.many;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.Store;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Another session holds an old snapshot, so that nothing can be vacuumed: the alarms of all finished runs stay in the
 * index. A claim that starts at a floor does not read them.
 */
class HeldSnapshotTest {
    private static final int BATCH = 1_000;

    private final String schema = TestPostgres.newSchema();
    private final Recorder recorder = new Recorder(Explained.dataSource());

    @Test
    void emptyClaimWithAFloorStaysCheapAfterTwentyThousandRuns() throws SQLException {
        assertEmptyClaimIsCheapAfter(20_000);
    }

    @Test
    @Tag("long")
    void emptyClaimWithAFloorStaysCheapAfterThreeHundredThousandRuns() throws SQLException {
        assertEmptyClaimIsCheapAfter(300_000);
    }

    private void assertEmptyClaimIsCheapAfter(int runs) throws SQLException {
        try (Store store = TestPostgres.open(schema, recorder.dataSource());
                Connection holder = TestPostgres.connect();
                Statement statement = holder.createStatement()) {
            holder.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            holder.setAutoCommit(false);
            statement.execute("select count(*) from " + schema + ".run");
            for (int i = 0; i < runs / BATCH; i++) {
                startAndClose(store, i);
            }
            Instant now = store.renew(0, List.of(), LEASE).now();
            Explained.Plan whole = emptyClaim(store, Instant.EPOCH);
            Explained.Plan floored = emptyClaim(store, now);
            System.out.printf(
                    "Empty claim after %d runs under a held snapshot: %s without a floor, %s with one%n",
                    runs, cost(whole), cost(floored));
            assertThat(floored.pages()).isLessThan(40);
            assertThat(whole.pages()).isGreaterThan(floored.pages());
        }
    }

    private static String cost(Explained.Plan plan) {
        return plan.pages() + " pages and " + plan.text().lines().findFirst().orElseThrow();
    }

    private static void startAndClose(Store store, int round) {
        List<Start> starts = many(BATCH, i -> leasedBriefly("wf-" + round + "-" + i));
        store.start(0, starts);
        store.commit(0, starts.stream().map(Runs::close).toList());
    }

    /** Its lease would have ended already when the claim comes. */
    private static Start leasedBriefly(String workflowId) {
        Start start = Runs.leased(workflowId, 7);
        return new Start(
                workflowId,
                start.runId(),
                start.type(),
                start.lane(),
                start.owner(),
                NextState.running(7, Duration.ofMillis(1)),
                start.first(),
                start.replaces());
    }

    private Explained.Plan emptyClaim(Store store, Instant floor) {
        recorder.take();
        assertThat(store.claim(0, Runs.claim(100, floor, LANE)).runs()).isEmpty();
        return Explained.all(recorder.take()).get(0);
    }
}
