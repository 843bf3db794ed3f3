package dev.dormouse.postgres;

import static dev.dormouse.postgres.Runs.LEASE;
import static dev.dormouse.postgres.Runs.many;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.HistoryAppend;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that fail in the middle: sending the same batch again applies it exactly once. */
@Timeout(120)
class ConnectionLossTest {
    private static final int MANY = 50;

    /** In bytes; a batch of entries is longer, and the set-up of a connection is shorter. */
    private static final int LONG_REQUEST = 3_000;

    private final String schema = TestPostgres.newSchema();
    private Cable cable;
    private Store store;
    private List<Start> starts;

    @BeforeEach
    void open() throws IOException {
        cable = new Cable(TestPostgres.port());
        String url = TestPostgres.url().replace(":" + TestPostgres.port(), ":" + cable.port());
        store = new PostgresStoreProvider()
                .open(new StoreConfig(url, Optional.empty(), schema, 1, true, InstantSource.system()));
        starts = many(MANY, i -> Runs.leased("wf-" + i, 7));
        store.start(0, starts);
    }

    @AfterEach
    void close() throws IOException {
        store.close();
        cable.close();
    }

    /** The server applies it, but its answer is lost. */
    private <T> T withLostAnswer(Supplier<T> operation) {
        cable.loseAnswersFrom(LONG_REQUEST);
        try {
            return operation.get();
        } finally {
            cable.loseNothing();
        }
    }

    /** Hangs in the middle of a statement that writes this table, until its backend is killed. */
    private <T> T killedWhileWriting(String table, Supplier<T> operation) {
        String name = new Schema(schema).quoted();
        TestPostgres.execute(TestPostgres.engine(), """
                create function SCHEMA.hang() returns trigger language plpgsql as
                  'begin perform pg_sleep(60); return new; end';
                create trigger hang before insert on SCHEMA.TABLE for each row execute function SCHEMA.hang();
                """.replace("SCHEMA", name).replace("TABLE", table));
        CompletableFuture<T> answer = CompletableFuture.supplyAsync(operation);
        await().atMost(Duration.ofSeconds(30)).until(this::killSleeper);
        T outcome = answer.join();
        TestPostgres.execute(TestPostgres.engine(), "drop function " + name + ".hang() cascade");
        return outcome;
    }

    private boolean killSleeper() {
        return !TestPostgres.query("""
                        select count(pg_terminate_backend(pid)) from pg_stat_activity
                        where application_name = 'dormouse' and wait_event = 'PgSleep'
                        """).equals("0");
    }

    private void assertSteppedOnce() {
        List<UUID> ids = starts.stream().map(Start::runId).toList();
        assertThat(store.runs(0, ids)).hasSize(MANY).allMatch(run -> run.nextSeq() == 2);
        assertThat(store.histories(0, ids)).hasSize(2 * MANY);
    }

    @Test
    void commitWhoseAnswerWasLostIsUnknownAndCommittedOnceWhenSentAgain() {
        List<Commit> steps = starts.stream().map(Runs::step).toList();
        assertThat(withLostAnswer(() -> store.commit(0, steps)))
                .hasSize(MANY)
                .allMatch(CommitOutcome.Unknown.class::isInstance);
        assertThat(TestPostgres.query("select count(*) from " + schema + ".history"))
                .as("rows that the lost commit has written; the first events are in the rows of the runs")
                .isEqualTo(Integer.toString(MANY));
        assertThat(store.commit(0, steps)).allMatch(CommitOutcome.Committed.class::isInstance);
        assertSteppedOnce();
    }

    /** Its events are in the rows of the runs, where the second attempt must find them. */
    @Test
    void commitOfTheOwnerWhoseAnswerWasLostIsCommittedOnceWhenSentAgain() {
        List<Commit> steps =
                starts.stream().map(Runs::step).map(Commit::fromOwner).toList();
        assertThat(withLostAnswer(() -> store.commit(0, steps))).allMatch(CommitOutcome.Unknown.class::isInstance);
        assertThat(TestPostgres.query("select count(*) from " + schema + ".history"))
                .isEqualTo("0");
        assertThat(store.commit(0, steps)).allMatch(CommitOutcome.Committed.class::isInstance);
        assertSteppedOnce();
    }

    @Test
    void appendWhoseAnswerWasLostIsUnknownAndAppliedOnceWhenSentAgain() {
        List<HistoryAppend> steps =
                starts.stream().map(Runs::step).map(HistoryAppend::of).toList();
        assertThat(withLostAnswer(() -> store.append(0, steps))).allMatch(CommitOutcome.Unknown.class::isInstance);
        assertThat(store.append(0, steps)).allMatch(CommitOutcome.Committed.class::isInstance);
        assertThat(store.histories(0, starts.stream().map(Start::runId).toList()))
                .hasSize(2 * MANY);
        assertThat(store.historyLength(0, starts.get(0).runId())).isEqualTo(2);
    }

    @Test
    void appendWhoseBackendWasKilledIsUnknownAndAppliedOnceWhenSentAgain() {
        List<HistoryAppend> steps =
                starts.stream().map(Runs::step).map(HistoryAppend::of).toList();
        assertThat(killedWhileWriting("history", () -> store.append(0, steps)))
                .hasSize(MANY)
                .allMatch(CommitOutcome.Unknown.class::isInstance);
        assertThat(store.historyLength(0, starts.get(0).runId())).isEqualTo(1);
        assertThat(store.append(0, steps)).allMatch(CommitOutcome.Committed.class::isInstance);
        assertThat(store.histories(0, starts.stream().map(Start::runId).toList()))
                .hasSize(2 * MANY);
    }

    @Test
    void commitWhoseBackendWasKilledIsUnknownAndCommittedOnceWhenSentAgain() {
        List<Commit> steps = starts.stream().map(Runs::step).toList();
        assertThat(killedWhileWriting("history", () -> store.commit(0, steps)))
                .hasSize(MANY)
                .allMatch(CommitOutcome.Unknown.class::isInstance);
        assertThat(store.runs(0, List.of(starts.get(0).runId()))).allMatch(run -> run.nextSeq() == 1);
        assertThat(store.commit(0, steps)).allMatch(CommitOutcome.Committed.class::isInstance);
        assertSteppedOnce();
    }

    /** A row and a commit in one transaction whose COMMIT, if it is sent, fails. */
    private CommitOutcome commitInTransaction(Commit step) {
        try (StoreTransaction transaction = store.begin(0);
                Statement statement = transaction.connection().createStatement()) {
            statement.execute("insert into " + schema + ".mine values (1)");
            return transaction.commit(step);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private String usersRows() {
        return TestPostgres.query("select count(*) from " + schema + ".mine");
    }

    @Test
    void transactionWhoseAnswerToCommitWasLostIsUnknownAndIsThereAsAWhole() {
        TestPostgres.execute(TestPostgres.engine(), "create table " + schema + ".mine (id int)");
        Commit step = Runs.step(starts.get(0));
        cable.loseAnswersTo("COMMIT");
        assertThat(commitInTransaction(step)).isInstanceOf(CommitOutcome.Unknown.class);
        cable.loseNothing();
        await().atMost(Duration.ofSeconds(30)).until(() -> usersRows().equals("1"));
        assertThat(store.run(0, step.runId()).orElseThrow().nextSeq()).isEqualTo(2);
        assertThat(commitInTransaction(step)).isInstanceOf(CommitOutcome.Committed.class);
        assertThat(commitInTransaction(Runs.step(starts.get(0)))).isEqualTo(new CommitOutcome.Fenced());
        assertThat(usersRows()).isEqualTo("1");
    }

    @Test
    void transactionThatIsKilledInItsCommitIsUnknownAndLeavesNothing() {
        TestPostgres.execute(TestPostgres.engine(), """
                create table SCHEMA.mine (id int);
                create function SCHEMA.hang() returns trigger language plpgsql as
                  'begin perform pg_sleep(60); return new; end';
                create constraint trigger hang after insert on SCHEMA.mine deferrable initially deferred
                  for each row execute function SCHEMA.hang();
                """.replace("SCHEMA", schema));
        Commit step = Runs.step(starts.get(0));
        CompletableFuture<CommitOutcome> answer = CompletableFuture.supplyAsync(() -> commitInTransaction(step));
        await().atMost(Duration.ofSeconds(30)).until(this::killSleeper);
        assertThat(answer.join()).isInstanceOf(CommitOutcome.Unknown.class);
        assertThat(usersRows()).isEqualTo("0");
        assertThat(store.run(0, step.runId()).orElseThrow().nextSeq()).isEqualTo(1);
    }

    @Test
    void startWhoseAnswerWasLostFindsItsOwnRunWhenSentAgain() {
        List<Start> more = many(MANY, i -> Runs.leased("more-" + i, 7));
        assertThat(withLostAnswer(() -> store.start(0, more))).allMatch(StartOutcome.Unknown.class::isInstance);
        List<StartOutcome> again = store.start(0, more);
        for (int i = 0; i < MANY; i++) {
            assertThat(((StartOutcome.Exists) again.get(i)).run().runId())
                    .isEqualTo(more.get(i).runId());
        }
    }

    @Test
    void startWhoseBackendWasKilledLeavesNothingAndStartsWhenSentAgain() {
        List<Start> more = many(MANY, i -> Runs.leased("more-" + i, 7));
        assertThat(killedWhileWriting("run", () -> store.start(0, more)))
                .allMatch(StartOutcome.Unknown.class::isInstance);
        assertThat(store.current(0, "more-0")).isEmpty();
        assertThat(store.start(0, more)).allMatch(StartOutcome.Started.class::isInstance);
    }

    @Test
    void deliveryWhoseAnswerWasLostIsADuplicateWhenSentAgain() {
        List<Delivery> mail = many(MANY, i -> Runs.signal("wf-" + i, "k"));
        assertThat(withLostAnswer(() -> store.deliver(0, mail, LEASE)))
                .allMatch(DeliverOutcome.Unknown.class::isInstance);
        assertThat(store.deliver(0, mail, LEASE)).containsOnly(new DeliverOutcome.Duplicate(1));
    }

    @Test
    void deliveryWhoseBackendWasKilledIsAcceptedOnceWhenSentAgain() {
        List<Delivery> mail = many(MANY, i -> Runs.signal("wf-" + i, "k"));
        assertThat(killedWhileWriting("inbox", () -> store.deliver(0, mail, LEASE)))
                .allMatch(DeliverOutcome.Unknown.class::isInstance);
        assertThat(store.deliver(0, mail, LEASE))
                .allMatch(outcome -> outcome instanceof DeliverOutcome.Accepted accepted && accepted.position() == 1);
    }

    @Test
    void questionsThatGetNoAnswerSaySo() {
        store.run(0, starts.get(0).runId());
        cable.loseAnswersFrom(1);
        assertThatThrownBy(() -> store.run(0, starts.get(0).runId()))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE))
                .hasMessageStartingWith("[DM2005] Expected ");
        cable.loseNothing();
        assertThat(store.run(0, starts.get(0).runId())).isPresent();
    }

    @Test
    void allConnectionsKilledWhileIdleAreReplacedUnnoticed() {
        store.renew(0, List.of(), LEASE);
        TestPostgres.query(
                "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = 'dormouse'");
        await().ignoreExceptions()
                .atMost(Duration.ofSeconds(20))
                .until(() -> store.run(0, Runs.newId()).isEmpty());
        List<Commit> steps = starts.stream().map(Runs::step).toList();
        assertThat(store.commit(0, steps)).allMatch(CommitOutcome.Committed.class::isInstance);
        assertSteppedOnce();
    }
}
