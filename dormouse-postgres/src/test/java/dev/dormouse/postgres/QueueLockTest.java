package dev.dormouse.postgres;

import static dev.dormouse.postgres.Runs.LEASE;
import static dev.dormouse.postgres.Runs.many;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.Store;
import dev.dormouse.store.queue.QueueClaim;
import dev.dormouse.store.queue.QueueClaimed;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Queued;
import dev.dormouse.store.run.Renewal;
import dev.dormouse.store.run.RunRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queue claims while other sessions hold locks. */
@Timeout(60)
class QueueLockTest {
    private final String schema = TestPostgres.newSchema();
    private Store store;
    private Store peer;
    private Connection other;

    @BeforeEach
    void open() throws SQLException {
        store = TestPostgres.open(schema);
        peer = TestPostgres.open(schema);
        other = TestPostgres.connect();
        other.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        other.close();
        peer.close();
        store.close();
    }

    private void start(int count, String lane) {
        store.start(0, many(count, i -> Runs.queued(lane + i, lane, new Queued("q", 0, ""))));
    }

    private static QueueClaim claim(int total, String... lanes) {
        return Runs.queueClaim("q", 10, total, Instant.EPOCH, lanes);
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = other.createStatement()) {
            statement.execute(sql.replace("SCHEMA", schema));
        }
    }

    /** A run of the queue whose lease has ended, while its node is alive. */
    private RunRow ended(String lane) {
        start(1, lane);
        RunRow row = store.claimQueued(0, claim(0, lane)).runs().get(0).row();
        store.commit(0, List.of(commit(row, NextState.running(row.lease(), Duration.ZERO))));
        return store.run(0, row.runId()).orElseThrow();
    }

    private static Commit commit(RunRow row, NextState next) {
        return new Commit(row.runId(), Fence.of(row.lease(), row.nextSeq()), Runs.events(1), 0, next, List.of());
    }

    @Test
    void ofTwoSessionsThatClaimAtOnceOneGetsTheOnlyRoom() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        for (int round = 0; round < 50; round++) {
            start(2, "round-" + round);
            String lane = "round-" + round;
            CyclicBarrier together = new CyclicBarrier(2);
            List<CompletableFuture<QueueClaimed>> claims = new ArrayList<>();
            for (Store each : List.of(store, peer)) {
                claims.add(CompletableFuture.supplyAsync(() -> claimTogether(each, together, round(lane)), threads));
            }
            int taken = 0;
            for (CompletableFuture<QueueClaimed> claimed : claims) {
                taken += claimed.get().runs().size();
            }
            assertThat(taken).isLessThanOrEqualTo(1);
            taken += store.claimQueued(0, round(lane)).runs().size();
            assertThat(taken).isEqualTo(1);
            closeAll(lane);
        }
        threads.shutdown();
    }

    private static QueueClaim round(String lane) {
        return Runs.queueClaim("q", 10, 1, Instant.EPOCH, lane);
    }

    private static QueueClaimed claimTogether(Store store, CyclicBarrier together, QueueClaim claim) {
        try {
            together.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return store.claimQueued(0, claim);
    }

    private void closeAll(String lane) {
        TestPostgres.execute(
                TestPostgres.engine(),
                "update " + schema + ".run set status = 10, lease = 0, wake_at = null where lane = '" + lane + "'");
    }

    @Test
    void claimThatCannotLockTheQueueIsRetriedSoon() throws SQLException {
        start(1, "a");
        store.claimQueued(0, claim(1, "b"));
        execute("select 1 from SCHEMA.queue for update");
        QueueClaimed later = store.claimQueued(0, claim(1, "a"));
        assertThat(later.runs()).isEmpty();
        assertThat(later.more()).isTrue();
        assertThat(later.next()).isAfter(later.now()).isBefore(later.now().plusSeconds(1));
        other.rollback();
        assertThat(store.claimQueued(0, claim(1, "a")).runs()).hasSize(1);
    }

    @Test
    void claimsOfOtherQueuesDoNotWait() throws SQLException {
        store.start(0, List.of(Runs.queued("b", "b", new Queued("other", 0, ""))));
        store.claimQueued(0, claim(1, "a"));
        execute("select 1 from SCHEMA.queue for update");
        QueueClaim others = Runs.queueClaim("other", 1, 1, Instant.EPOCH, "b");
        assertThat(store.claimQueued(0, others).runs()).hasSize(1);
    }

    @Test
    void expiredLeaseThatIsLockedCounts() throws SQLException {
        RunRow late = ended("a");
        start(1, "b");
        execute("select 1 from SCHEMA.run where lane = 'a' for update");
        assertThat(store.claimQueued(0, claim(1, "b")).runs()).isEmpty();
        assertThat(store.run(0, late.runId()).orElseThrow().lease()).isEqualTo(late.lease());
        other.rollback();
        assertThat(store.claimQueued(0, claim(1, "b")).runs()).hasSize(1);
        assertThat(store.renew(0, List.of(new Renewal(late.runId(), late.lease())), LEASE)
                        .mail())
                .isEmpty();
    }

    @Test
    void renewalThatIsOnItsWayIsNotOverlooked() throws SQLException {
        RunRow late = ended("a");
        start(1, "b");
        execute("update SCHEMA.run set wake_at = wake_at + 3600000000 where lane = 'a'");
        assertThat(store.claimQueued(0, claim(1, "b")).runs()).isEmpty();
        other.commit();
        assertThat(store.claimQueued(0, claim(1, "b")).runs()).isEmpty();
        assertThat(store.commit(0, List.of(commit(late, NextState.running(late.lease())))))
                .hasOnlyElementsOfType(CommitOutcome.Committed.class);
    }

    @Test
    void lockedDueRunDoesNotHideTheOthers() throws SQLException {
        start(3, "a");
        execute("select 1 from SCHEMA.run where workflow_id = 'a0' for update");
        assertThat(store.claimQueued(0, claim(2, "a")).runs())
                .extracting(run -> run.row().workflowId())
                .containsExactly("a1", "a2");
    }

    @Test
    void timesThatHavePassedDoNotPileUp() {
        QueueClaim.Rate fast = new QueueClaim.Rate(1, Duration.ofNanos(1_000));
        for (int i = 0; i < 30; i++) {
            int round = i;
            store.start(0, many(10, n -> Runs.queued(round + "-" + n, "a", new Queued("q", 0, round + "." + n))));
            QueueClaim claim = Runs.queueClaim("q", 10, 0, fast, fast, Instant.EPOCH, "a");
            int taken = 0;
            for (int tries = 0; taken < 10 && tries < 1_000; tries++) {
                taken += store.claimQueued(0, claim).runs().size();
            }
            assertThat(taken).isEqualTo(10);
        }
        int rows = Integer.parseInt(TestPostgres.query("select count(*) from " + schema + ".rate"));
        assertThat(rows).isLessThan(25);
    }
}
