package dev.dormouse.postgres;

import static dev.dormouse.postgres.Runs.LANE;
import static dev.dormouse.postgres.Runs.LEASE;
import static dev.dormouse.postgres.Runs.many;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.Store;
import dev.dormouse.store.event.PastEvent;
import dev.dormouse.store.event.Question;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.Renewal;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A user's transaction stays open and holds a lock that entry 5 needs. It belongs to the thread that calls the store,
 * so waiting for the lock would never end.
 */
@Timeout(60)
class LockedRowTest {
    private static final int MANY = 20;
    private static final int LOCKED = 5;

    private final String schema = TestPostgres.newSchema();
    private final Recorder recorder = new Recorder(TestPostgres.engine());
    private Store store;
    private List<Start> starts;
    private Connection user;

    @BeforeEach
    void open() throws SQLException {
        store = TestPostgres.open(schema, recorder.dataSource());
        starts = many(MANY, i -> Runs.leased("wf-" + i, 7));
        store.start(0, starts);
        user = TestPostgres.connect();
        user.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        user.close();
        store.close();
    }

    private void lock(String condition) throws SQLException {
        try (Statement statement = user.createStatement()) {
            statement.execute("select 1 from " + schema + ".run where " + condition + " for update");
        }
        recorder.take();
    }

    private static void assertOneIsLocked(List<?> outcomes, Object locked, Class<?> others) {
        for (int i = 0; i < MANY; i++) {
            if (i == LOCKED) {
                assertThat(outcomes.get(i)).isEqualTo(locked);
            } else {
                assertThat(outcomes.get(i)).isInstanceOf(others);
            }
        }
    }

    @Test
    void commitOfALockedRunIsLockedAndTheOthersAreCommittedInTheFirstStatement() throws SQLException {
        lock("workflow_id = 'wf-5'");
        List<CommitOutcome> outcomes =
                store.commit(0, starts.stream().map(Runs::step).toList());
        assertOneIsLocked(outcomes, new CommitOutcome.Locked(), CommitOutcome.Committed.class);
        assertThat(recorder.take()).hasSize(2);
        user.rollback();
        assertThat(store.commit(0, List.of(Runs.step(starts.get(LOCKED)))))
                .hasOnlyElementsOfType(CommitOutcome.Committed.class);
    }

    @Test
    void deliveryToALockedRunIsLockedAndTheOthersAreAcceptedInTheFirstStatement() throws SQLException {
        lock("workflow_id = 'wf-5'");
        List<DeliverOutcome> outcomes = store.deliver(0, many(MANY, i -> Runs.signal("wf-" + i, "k")), LEASE);
        assertOneIsLocked(outcomes, new DeliverOutcome.Locked(), DeliverOutcome.Accepted.class);
        assertThat(recorder.take()).hasSize(2);
    }

    @Test
    void allItemsForALockedRunAreLockedTogether() throws SQLException {
        lock("workflow_id = 'wf-5'");
        List<Delivery> batch = Stream.concat(Runs.signals("wf-5", 0, 10).stream(), Runs.signals("wf-6", 0, 10).stream())
                .toList();
        List<DeliverOutcome> outcomes = store.deliver(0, batch, LEASE);
        assertThat(outcomes.subList(0, 10)).containsOnly(new DeliverOutcome.Locked());
        assertThat(outcomes.subList(10, 20)).hasOnlyElementsOfType(DeliverOutcome.Accepted.class);
        assertThat(recorder.take()).hasSize(2);
        user.rollback();
        assertThat(store.deliver(0, batch.subList(0, 10), LEASE))
                .extracting(outcome -> ((DeliverOutcome.Accepted) outcome).position())
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
    }

    @Test
    void deliveryToALockedContinuedRunIsLockedAndNotRefused() throws SQLException {
        store.commit(0, List.of(Runs.close(starts.get(LOCKED), RunStatus.CONTINUED)));
        lock("workflow_id = 'wf-5'");
        assertThat(store.deliver(0, Runs.signals("wf-5", 0, 2), LEASE)).containsOnly(new DeliverOutcome.Locked());
        assertThat(store.start(0, List.of(Runs.replacing(Runs.leased("wf-5", 8), RunStatus.CONTINUED))))
                .containsExactly(new StartOutcome.Locked());
    }

    @Test
    void forgettingDoesNotWaitForAQuestionThatIsBeingAnswered() throws SQLException {
        List<UUID> asked = many(3, i -> {
            Question question = Runs.question(LANE);
            store.ask(0, question);
            return question.id();
        });
        try (Statement statement = user.createStatement()) {
            statement.execute("update " + schema + ".question set answer = '' where id = '" + asked.get(1) + "'");
        }
        assertThat(store.forget(0, asked, LEASE)).isEqualTo(2);
        user.commit();
        assertThat(store.reply(0, asked.get(1))).isPresent();
        assertThat(store.forget(0, asked, LEASE)).isEqualTo(1);
    }

    /** A locked row does not count against the limit. */
    @Test
    void expiredRowThatIsLockedIsLeftToItsHolder() throws SQLException {
        TestPostgres.execute(TestPostgres.engine(), """
                insert into SCHEMA.subscription (shard, workflow_id, id, event, key, match, until)
                select 0, 'old-' || i, '1', 'paid', 'k', '', 1000 + i from generate_series(1, 21) i;
                insert into SCHEMA.past_event (shard, event, id, at, until, payload)
                select 0, 'paid', 'old-' || i, 1000, 1000 + i, '' from generate_series(1, 21) i;
                """.replace("SCHEMA", schema));
        try (Statement statement = user.createStatement()) {
            statement.execute("select 1 from " + schema + ".subscription where until = 1005 for update");
            statement.execute("select 1 from " + schema + ".past_event where until = 1005 for update");
        }
        recorder.take();
        store.subscribe(0, List.of(Runs.subscription("wf-1", "1", "k", null)));
        store.remember(0, List.of(new PastEvent("paid", "1", new byte[1])), LEASE);
        assertThat(recorder.take()).hasSize(2);
        assertThat(TestPostgres.query(
                        "select string_agg(workflow_id, ' ' order by workflow_id) from " + schema + ".subscription"))
                .isEqualTo("old-5 wf-1");
        assertThat(TestPostgres.query("select string_agg(id, ' ' order by id) from " + schema + ".past_event"))
                .isEqualTo("1 old-5");
    }

    @Test
    void claimLeavesALockedRunToItsHolder() throws SQLException {
        store.start(0, many(MANY, i -> Runs.pending("due-" + i, Alarm.NOW)));
        lock("workflow_id = 'due-5'");
        Claimed claimed = store.claim(0, Runs.claim(MANY, Instant.EPOCH, LANE));
        assertThat(claimed.runs())
                .hasSize(MANY - 1)
                .noneMatch(run -> run.row().workflowId().equals("due-5"));
        user.rollback();
        assertThat(store.claim(0, Runs.claim(MANY, Instant.EPOCH, LANE)).runs()).hasSize(1);
    }

    @Test
    void claimSkipsLockedRunsUpToItsLimit() throws SQLException {
        store.start(0, many(30, i -> Runs.pending("due-" + i, Alarm.NOW)));
        lock("wake_at is not null and lease = 0 and workflow_id < 'due-2'");
        assertThat(store.claim(0, Runs.claim(10, Instant.EPOCH, LANE)).runs()).hasSize(10);
    }

    @Test
    void renewalDoesNotTakeALockedRunForLost() throws SQLException {
        lock("workflow_id = 'wf-5'");
        List<Renewal> renewals =
                starts.stream().map(start -> new Renewal(start.runId(), 7)).toList();
        assertThat(store.renew(0, renewals, LEASE).mail()).hasSize(MANY);
    }

    @Test
    void startOfAnIdThatAnOpenTransactionIsStartingIsLockedAndTheOthersStart() throws SQLException {
        Start users = Runs.pending("new-5", Alarm.NOW);
        store.startWithin(user, 0, users);
        List<Start> batch = many(MANY, i -> Runs.leased("new-" + i, 7));
        assertOneIsLocked(store.start(0, batch), new StartOutcome.Locked(), StartOutcome.Started.class);
        user.commit();
        RunRow run = store.current(0, "new-5").orElseThrow();
        assertThat(run.runId()).isEqualTo(users.runId());
        assertThat(store.start(0, List.of(batch.get(LOCKED)))).containsExactly(new StartOutcome.Exists(run));
    }

    @Test
    void purgeAndSweepDoNotWaitEither() throws SQLException {
        store.commit(0, starts.stream().map(Runs::close).toList());
        lock("workflow_id = 'wf-5'");
        Instant later = store.renew(0, List.of(), LEASE).now().plusSeconds(60);
        assertThat(store.purge(0, later, Optional.empty(), 100).runs()).isEqualTo(MANY - 1);
    }

    @Test
    void keyThatAnOpenTransactionIsInsertingIsLockedAndADuplicateAfterItsCommit() throws SQLException {
        try (Statement statement = user.createStatement()) {
            statement.execute("insert into " + schema + ".inbox (shard, workflow_id, key, kind, accepted_at, payload) "
                    + "values (0, 'wf-5', 'k', 1, 1, '')");
        }
        List<DeliverOutcome> outcomes = store.deliver(0, many(MANY, i -> Runs.signal("wf-" + i, "k")), LEASE);
        assertOneIsLocked(outcomes, new DeliverOutcome.Locked(), DeliverOutcome.Accepted.class);
        user.commit();
        assertThat(store.deliver(0, List.of(Runs.signal("wf-5", "k")), LEASE))
                .hasOnlyElementsOfType(DeliverOutcome.Duplicate.class);
        assertThat(store.current(0, "wf-5").orElseThrow().mail()).isZero();
    }
}
