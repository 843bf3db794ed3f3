package dev.dormouse.postgres;

import static dev.dormouse.postgres.Runs.LANE;
import static dev.dormouse.postgres.Runs.LEASE;
import static dev.dormouse.postgres.Runs.many;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.base.NodeState;
import dev.dormouse.store.event.Note;
import dev.dormouse.store.event.PastEvent;
import dev.dormouse.store.event.Question;
import dev.dormouse.store.event.Subscription;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.page.Tally;
import dev.dormouse.store.page.TallyCounts;
import dev.dormouse.store.queue.QueueClaim;
import dev.dormouse.store.queue.QueueClaimed;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Queued;
import dev.dormouse.store.run.Renewal;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import dev.dormouse.store.run.Sweep;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The cost of each operation: a statement is one round trip, and with autocommit also one commit. */
class StatementCountTest {
    private static final int MANY = 100;

    private final Recorder recorder = new Recorder(TestPostgres.engine());
    private Store store;
    private List<Start> starts;

    @BeforeEach
    void openWithRuns() {
        store = TestPostgres.open(TestPostgres.newSchema(), recorder.dataSource());
        starts = many(MANY, i -> Runs.leased("wf-" + i, 7));
        store.start(0, starts);
        recorder.take();
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void assertCost(int statements, Runnable operation) {
        recorder.take();
        operation.run();
        List<Recorder.Executed> executed = recorder.take();
        assertThat(executed).hasSize(statements).allMatch(Recorder.Executed::autoCommit);
    }

    @Test
    void startOfABatchIsOneStatement() {
        List<Start> more = many(MANY, i -> Runs.leased("more-" + i, 7));
        assertCost(1, () -> assertThat(store.start(0, more)).allMatch(StartOutcome.Started.class::isInstance));
    }

    @Test
    void startOfABatchWithIdsThatAreTakenIsTwoStatements() {
        List<Start> half = many(MANY, i -> Runs.leased("wf-" + (MANY / 2 + i), 7));
        assertCost(
                2,
                () -> assertThat(store.start(0, half))
                        .filteredOn(StartOutcome.Exists.class::isInstance)
                        .hasSize(MANY / 2));
    }

    @Test
    void startInThePlaceOfClosedRunsIsThreeStatements() {
        store.commit(0, starts.stream().map(Runs::close).toList());
        List<Start> again = many(MANY, i -> Runs.replacing(Runs.leased("wf-" + i, 8), RunStatus.COMPLETED));
        assertCost(3, () -> assertThat(store.start(0, again)).allMatch(StartOutcome.Started.class::isInstance));
    }

    @Test
    void startInThePlaceOfContinuedRunsIsThreeStatements() {
        store.commit(
                0,
                starts.stream()
                        .map(start -> Runs.close(start, RunStatus.CONTINUED))
                        .toList());
        List<Start> next = many(MANY, i -> Runs.replacing(Runs.leased("wf-" + i, 8), RunStatus.CONTINUED));
        assertCost(3, () -> assertThat(store.start(0, next)).allMatch(StartOutcome.Started.class::isInstance));
    }

    @Test
    void commitOfABatchIsOneStatement() {
        assertCost(
                1,
                () -> assertThat(store.commit(0, starts.stream().map(Runs::step).toList()))
                        .allMatch(CommitOutcome.Committed.class::isInstance));
    }

    @Test
    void commitOfABatchOfWhichSomeAreRefusedIsTwoStatements() {
        store.commit(0, starts.subList(0, 10).stream().map(Runs::step).toList());
        assertCost(
                2,
                () -> assertThat(store.commit(0, starts.stream().map(Runs::step).toList()))
                        .filteredOn(CommitOutcome.Fenced.class::isInstance)
                        .hasSize(10));
    }

    @Test
    void deliveryOfABatchIsOneStatementAndOneMoreWhereSomeAreNotAccepted() {
        assertCost(
                1,
                () -> assertThat(store.deliver(0, many(MANY, i -> Runs.signal("wf-" + i, "k")), LEASE))
                        .allMatch(DeliverOutcome.Accepted.class::isInstance));
        assertCost(
                2,
                () -> assertThat(store.deliver(0, many(MANY, i -> Runs.signal("wf-" + i, "k")), LEASE))
                        .allMatch(DeliverOutcome.Duplicate.class::isInstance));
    }

    @Test
    void deliveryOfAThousandItemsToOneRunIsOneStatementAndOneMoreWhereSomeAreNotAccepted() {
        assertCost(
                1,
                () -> assertThat(store.deliver(0, Runs.signals("wf-0", 0, 1_000), LEASE))
                        .allMatch(DeliverOutcome.Accepted.class::isInstance));
        assertCost(
                2,
                () -> assertThat(store.deliver(0, Runs.signals("wf-0", 500, 1_500), LEASE))
                        .filteredOn(DeliverOutcome.Duplicate.class::isInstance)
                        .hasSize(500));
    }

    @Test
    void questionsAreOneStatementEach() {
        Question question = Runs.question(LANE);
        assertCost(1, () -> store.ask(0, question));
        assertCost(
                1, () -> assertThat(store.questions(0, List.of(LANE, "b"), 10)).hasSize(1));
        assertCost(1, () -> store.reply(0, question.id(), new byte[1]));
        assertCost(1, () -> assertThat(store.reply(0, question.id())).isPresent());
        assertCost(
                1,
                () -> assertThat(store.forget(0, List.of(question.id()), LEASE)).isEqualTo(1));
    }

    @Test
    void subscriptionsEventsAndDefinitionsAreOneStatementEach() {
        List<Subscription> subscriptions = many(MANY, i -> Runs.subscription("wf-" + i, "1", "k" + i % 2, null));
        assertCost(1, () -> store.subscribe(0, subscriptions.subList(0, MANY / 2)));
        assertCost(1, () -> store.subscribe(0, subscriptions));
        assertCost(1, () -> store.subscribe(0, subscriptions.subList(0, 1)));
        assertCost(0, () -> store.subscribe(0, List.of()));
        assertCost(
                1,
                () -> assertThat(store.subscriptions(0, "paid", List.of("k0", "k1", "k2"), null, MANY))
                        .hasSize(MANY));
        assertCost(1, () -> store.unsubscribe(0, subscriptions));
        List<PastEvent> events = many(MANY, i -> new PastEvent("paid", "id-" + i, new byte[1]));
        assertCost(1, () -> store.remember(0, events.subList(0, MANY / 2), LEASE));
        assertCost(1, () -> store.remember(0, events, LEASE));
        assertCost(1, () -> store.remember(0, events.subList(0, 1), LEASE));
        assertCost(0, () -> store.remember(0, List.of(), LEASE));
        assertCost(1, () -> assertThat(store.recall(0, "paid", LEASE, MANY + 1)).hasSize(MANY));
        assertCost(1, () -> assertThat(store.define(0, "a", 1, new byte[1])).isTrue());
        assertCost(1, () -> assertThat(store.definition(0, "a", 0)).isPresent());
        assertCost(1, () -> assertThat(store.definition(0, "a", 1)).isPresent());
        assertCost(
                1,
                () -> assertThat(store.definitions(0, Instant.EPOCH, null, 10)).hasSize(1));
    }

    @Test
    void claimIsOneStatement() {
        store.start(0, many(MANY, i -> Runs.pending("due-" + i, Alarm.NOW)));
        assertCost(
                1,
                () -> assertThat(store.claim(0, Runs.claim(MANY, Instant.EPOCH, LANE, "b", "c"))
                                .runs())
                        .hasSize(MANY));
        assertCost(
                1,
                () -> assertThat(store.claim(0, Runs.claim(MANY, Instant.EPOCH, LANE))
                                .runs())
                        .isEmpty());
    }

    private void assertTransaction(String end, int statements, Runnable operation) {
        recorder.take();
        operation.run();
        List<Recorder.Executed> executed = recorder.take();
        assertThat(executed).hasSize(statements + 1).noneMatch(Recorder.Executed::autoCommit);
        assertThat(executed.get(statements).sql()).isEqualTo(end);
    }

    private QueueClaimed claimQueued(int total, QueueClaim.Rate rate, QueueClaim.Rate keyRate) {
        return store.claimQueued(0, Runs.queueClaim("q", 10, total, rate, keyRate, Instant.EPOCH, "q@a", "q@b"));
    }

    @Test
    void queueClaimCostsFourStatementsAndOneMoreForItsRateAndTwoForKeyRates() {
        QueueClaim.Rate rate = new QueueClaim.Rate(1_000, Duration.ofMillis(10));
        store.start(0, many(MANY, i -> Runs.queued("due-" + i, "q@a", new Queued("q", 0, "k" + i))));
        assertThat(claimQueued(10, null, null).runs()).hasSize(10);
        assertTransaction(
                "commit",
                4,
                () -> assertThat(claimQueued(20, null, null).runs()).hasSize(10));
        assertTransaction(
                "rollback",
                3,
                () -> assertThat(claimQueued(20, null, null).runs()).isEmpty());
        assertTransaction(
                "commit", 3, () -> assertThat(claimQueued(0, null, null).runs()).hasSize(10));
        assertTransaction(
                "commit",
                5,
                () -> assertThat(claimQueued(40, rate, null).runs()).hasSize(10));
        assertTransaction(
                "commit",
                7,
                () -> assertThat(claimQueued(50, rate, rate).runs()).hasSize(10));
    }

    @Test
    void renewalIsOneStatementAndOneMoreWhereSomeAreLost() {
        List<Renewal> held =
                starts.stream().map(start -> new Renewal(start.runId(), 7)).toList();
        assertCost(1, () -> assertThat(store.renew(0, held, LEASE).mail()).hasSize(MANY));
        store.commit(0, List.of(Runs.close(starts.get(0))));
        assertCost(2, () -> assertThat(store.renew(0, held, LEASE).mail()).hasSize(MANY - 1));
    }

    @Test
    void sweepIsOneStatement() {
        assertCost(
                1,
                () -> assertThat(store.sweep(0, new Sweep("node", "build", List.of(LANE, "b"), 10))
                                .alarms())
                        .hasSize(10));
    }

    @Test
    void readingIsOneStatementEach() {
        UUID runId = starts.get(0).runId();
        List<UUID> all = starts.stream().map(Start::runId).toList();
        assertCost(1, () -> assertThat(store.run(0, runId)).isPresent());
        assertCost(1, () -> assertThat(store.runs(0, all)).hasSize(MANY));
        assertCost(1, () -> assertThat(store.current(0, "wf-0")).isPresent());
        assertCost(1, () -> assertThat(store.history(0, runId, 0)).isPresent());
        assertCost(1, () -> assertThat(store.histories(0, all)).hasSize(MANY));
        assertCost(1, () -> assertThat(store.mail(0, "wf-0", 0, 10)).isEmpty());
        assertCost(
                1,
                () -> assertThat(store.list(0, RunFilter.ALL, Optional.empty(), 10)
                                .runs())
                        .hasSize(10));
        assertCost(1, () -> assertThat(store.outbox(0, 10)).isEmpty());
        assertCost(1, () -> assertThat(store.nodes(0)).isEmpty());
    }

    @Test
    void housekeepingIsOneStatementEach() {
        store.commit(0, starts.stream().map(Runs::close).toList());
        assertCost(1, () -> store.forwarded(0, List.of(Runs.newId())));
        assertCost(
                1, () -> assertThat(store.wakeStuck(0, List.of(LANE), "build")).isZero());
        assertCost(1, () -> store.shortenLeases(0, List.of(LANE), LEASE, LEASE));
        assertCost(1, () -> store.leave(0, "node"));
        Instant later = store.renew(0, List.of(), LEASE).now().plus(Duration.ofMinutes(1));
        assertCost(
                1,
                () -> assertThat(store.purge(0, later, Optional.empty(), MANY).runs())
                        .isEqualTo(MANY));
    }

    @Test
    void notesAreOneStatementEach() {
        List<Note> notes = many(MANY, i -> new Note(starts.get(i).runId(), 7, 1, 1, new byte[10]));
        assertCost(1, () -> store.note(0, notes));
        assertCost(1, () -> store.note(0, notes));
        assertCost(1, () -> assertThat(store.notes(0, starts.get(0).runId())).hasSize(1));
        assertCost(1, () -> store.erase(0, notes));
    }

    @Test
    void talliesAreWrittenByOneStatement() {
        Instant slot = Instant.parse("2030-01-01T00:00:00Z");
        List<Tally> tallies = List.of(
                new Tally("node", slot, Duration.ofSeconds(10), TallyCounts.NONE),
                new Tally("node", slot, Duration.ofMinutes(5), TallyCounts.NONE));
        assertCost(1, () -> store.pages().tally(0, "node", NodeState.UNKNOWN, tallies));
        assertCost(1, () -> store.pages().tally(0, "node", NodeState.UNKNOWN, tallies));
        assertCost(
                1,
                () -> assertThat(store.pages().tallies(0, Duration.ofSeconds(10), slot, slot.plusSeconds(10)))
                        .hasSize(1));
        assertCost(
                1,
                () -> assertThat(store.pages().forgetTallies(0, Duration.ofSeconds(10), slot.plusSeconds(1)))
                        .isEqualTo(1));
    }

    /** Beside these, its settings: one round trip at the beginning and one before the commit (left out here). */
    @Test
    void transactionAddsACommitToTheUsersStatementsAndACommitStatement() {
        recorder.take();
        try (StoreTransaction transaction = store.begin(0)) {
            assertThat(transaction.commit(Runs.step(starts.get(0)))).isInstanceOf(CommitOutcome.Committed.class);
        }
        List<String> executed =
                recorder.take().stream().map(Recorder.Executed::sql).toList();
        assertThat(executed).hasSize(3);
        assertThat(executed.get(0)).startsWith("with b as materialized");
        assertThat(executed.subList(1, 3)).containsExactly("commit", "rollback");
    }

    @Test
    void startInTheUsersTransactionIsOneStatementAndLeavesTheRestToTheUser() throws SQLException {
        try (Connection connection = recorder.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            recorder.take();
            store.startWithin(connection, 0, Runs.pending("mine", Alarm.NOW));
            assertThat(recorder.take()).hasSize(1).noneMatch(Recorder.Executed::autoCommit);
            connection.commit();
            assertThat(recorder.take()).extracting(Recorder.Executed::sql).containsExactly("commit");
        }
    }

    @Test
    void openingOnExistingTablesWritesNothing() {
        String schema = TestPostgres.newSchema();
        TestPostgres.open(schema).close();
        recorder.take();
        TestPostgres.open(schema, recorder.dataSource()).close();
        assertThat(recorder.take()).extracting(Recorder.Executed::sql).allMatch(sql -> sql.startsWith("select"));
    }
}
