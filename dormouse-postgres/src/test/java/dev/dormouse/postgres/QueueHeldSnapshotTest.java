package dev.dormouse.postgres;

import static dev.dormouse.postgres.Runs.LEASE;
import static dev.dormouse.postgres.Runs.many;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.Store;
import dev.dormouse.store.queue.QueueClaim;
import dev.dormouse.store.queue.QueueClaimed;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Queued;
import dev.dormouse.store.run.RunRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Another session holds an old snapshot while runs of a queue start and finish: their entries stay at the head of its
 * indexes. A claim with a floor does not read them when it looks for due runs, even if runs of a low priority are still
 * waiting. (When it counts leases, it does read those that would still last or ended within the last half minute.)
 */
class QueueHeldSnapshotTest {
    private static final int BATCH = 1_000;
    private static final int DUE = 2;

    private final String schema = TestPostgres.newSchema();
    private final Recorder recorder = new Recorder(Explained.dataSource());

    @Test
    void claimStaysCheapAfterTenThousandRuns() throws SQLException {
        assertClaimIsCheapAfter(10_000);
    }

    @Test
    @Tag("long")
    void claimStaysCheapAfterThreeHundredThousandRuns() throws SQLException {
        assertClaimIsCheapAfter(300_000);
    }

    private void assertClaimIsCheapAfter(int runs) throws SQLException {
        try (Store store = TestPostgres.open(schema, recorder.dataSource());
                Connection holder = TestPostgres.connect();
                Statement statement = holder.createStatement()) {
            holder.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            holder.setAutoCommit(false);
            statement.execute("select count(*) from " + schema + ".run");
            store.start(0, many(BATCH, i -> Runs.queued("waiting-" + i, "q@a", new Queued("q", 0, ""))));
            for (int i = 0; i < runs / BATCH; i++) {
                startAndClose(store, i);
            }
            pass(store);
            List<Explained.Plan> whole = claimOne(store, Instant.EPOCH);
            List<Explained.Plan> floored = claimOne(store, Instant.now());
            System.out.printf("Claim after %d runs under a held snapshot%n", runs);
            System.out.printf("  looking at everything: %s%n  otherwise: %s%n", costs(whole), costs(floored));
            assertThat(floored.get(DUE).pages()).isLessThan(300);
            assertThat(whole.get(DUE).pages()).isGreaterThan(floored.get(DUE).pages());
        }
    }

    /** Waits until the finished runs are below the margin of the floors. */
    private static void pass(Store store) {
        Instant end = store.renew(0, List.of(), LEASE).now().plusMillis(1_200);
        while (store.renew(0, List.of(), LEASE).now().isBefore(end)) {
            Thread.onSpinWait();
        }
    }

    private static void startAndClose(Store store, int round) {
        store.start(0, many(BATCH, i -> Runs.queued("wf-" + round + "-" + i, "q@a", new Queued("q", 9, ""))));
        QueueClaimed claimed = store.claimQueued(0, claim(BATCH, Instant.EPOCH));
        assertThat(claimed.runs()).hasSize(BATCH);
        store.commit(
                0, claimed.runs().stream().map(QueueHeldSnapshotTest::close).toList());
    }

    private static Commit close(Claimed.Run run) {
        RunRow row = run.row();
        NextState closed = NextState.closed(RunStatus.COMPLETED);
        return new Commit(row.runId(), Fence.of(row.lease(), row.nextSeq()), Runs.events(1), 0, closed, List.of());
    }

    private static QueueClaim claim(int limit, Instant floor) {
        return Runs.queueClaim("q", limit, 5_000, floor, "q@a", "q@b");
    }

    /** The plans of its statements: lock, leases, due, update. */
    private List<Explained.Plan> claimOne(Store store, Instant floor) {
        recorder.take();
        assertThat(store.claimQueued(0, claim(1, floor)).runs()).hasSize(1);
        return Explained.all(recorder.take());
    }

    private static List<String> costs(List<Explained.Plan> plans) {
        return plans.stream()
                .map(plan -> plan.pages() + " pages, "
                        + plan.text().lines().findFirst().orElseThrow())
                .toList();
    }
}
