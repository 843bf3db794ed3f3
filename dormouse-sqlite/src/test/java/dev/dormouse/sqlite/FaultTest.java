package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.sqlite.connect.ConnectionFactory;
import dev.dormouse.sqlite.connect.ConnectionRole;
import dev.dormouse.sqlite.connect.ConnectionSource;
import dev.dormouse.sqlite.connect.DatabaseLocation;
import dev.dormouse.sqlite.connect.FileIdentity;
import dev.dormouse.sqlite.connect.ReaderPool;
import dev.dormouse.sqlite.connect.WriteConnection;
import dev.dormouse.sqlite.run.Commits;
import dev.dormouse.sqlite.run.HistoryStatements;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Outcomes when SQLite fails in the middle. Nothing is lost or applied twice. */
class FaultTest {
    @TempDir
    Path directory;

    private final Watched watched = new Watched();
    private final List<Connection> connections = new ArrayList<>();
    private Store store;
    private Start run;

    @BeforeEach
    void open() {
        Path file = directory.resolve("trial.db");
        Stores.open(file).close();
        ConnectionSource plain = ConnectionFactory.toFile(file, ConnectionRole.WRITER);
        ConnectionSource kept = () -> {
            connections.add(plain.open());
            return connections.get(connections.size() - 1);
        };
        WriteConnection writer = new WriteConnection(
                watched.around(kept), Optional.of(watched.around(kept)), InstantSource.system(), FileIdentity.NONE);
        store = new SqliteStore(new DatabaseLocation(Optional.of(file)), 1, writer, new ReaderPool(plain), () -> {});
        run = Sample.leased("a");
        store.start(0, List.of(run));
    }

    @AfterEach
    void close() {
        watched.failing((sql, isDone) -> {});
        store.close();
    }

    /** Fails once at a statement, before or after it took effect. */
    private void failAt(String statement, boolean isDone) {
        watched.failing((sql, isOver) -> {
            if (sql.equals(statement) && isOver == isDone) {
                watched.failing((any, over) -> {});
                throw new SQLException("disk I/O error", null, 10);
            }
        });
    }

    private CommitOutcome commit(Commit commit) {
        return store.commit(0, List.of(commit)).get(0);
    }

    @Test
    void commitWhoseAnswerWasLostIsFoundToBeApplied() {
        Commit step = Sample.step(run, 0);
        failAt("commit", true);
        assertThat(commit(step)).isInstanceOf(CommitOutcome.Unknown.class);
        assertThat(store.run(0, run.runId()).orElseThrow().nextSeq()).isEqualTo(2);
        assertThat(commit(step)).isInstanceOf(CommitOutcome.Committed.class);
        assertThat(Whole.runs(store)).extracting(RunRow::nextSeq).containsExactly(2);
    }

    @Test
    void commitThatFailedIsAppliedTheSecondTime() {
        for (String statement :
                List.of("begin immediate", Commits.STANDING, Commits.GO_ON, HistoryStatements.APPEND, "commit")) {
            RunRow before = store.run(0, run.runId()).orElseThrow();
            Commit step = Sample.step(before);
            failAt(statement, false);
            CommitOutcome outcome = commit(step);
            assertThat(outcome).isInstanceOf(CommitOutcome.Unknown.class);
            assertThat(((CommitOutcome.Unknown) outcome).cause().code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
            assertThat(store.run(0, run.runId())).contains(before);
            assertThat(commit(step)).isInstanceOf(CommitOutcome.Committed.class);
        }
        assertThat(Whole.runs(store)).extracting(RunRow::nextSeq).containsExactly(6);
    }

    private CommitOutcome commitInTransaction(Commit commit) throws SQLException {
        try (StoreTransaction transaction = store.begin(0);
                Statement statement = transaction.connection().createStatement()) {
            statement.executeUpdate("create table if not exists mine (id integer)");
            statement.executeUpdate("insert into mine values (1)");
            return transaction.commit(commit);
        }
    }

    private int usersRows() throws SQLException {
        try (Connection connection = Stores.connect(directory.resolve("trial.db"));
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) from sqlite_schema where name = 'mine'")) {
            return rows.getInt(1);
        }
    }

    @Test
    void failedTransactionLeavesNothingAndBlocksNothing() throws SQLException {
        Commit step = Sample.step(run, 0);
        for (String statement : List.of(
                "release dormouse_transaction", Commits.STANDING, Commits.GO_ON, HistoryStatements.APPEND, "commit")) {
            failAt(statement, false);
            assertThat(commitInTransaction(step)).isInstanceOf(CommitOutcome.Unknown.class);
            assertThat(usersRows()).isZero();
            assertThat(store.run(0, run.runId()).orElseThrow().nextSeq()).isEqualTo(1);
        }
        for (String statement : List.of("begin immediate", "savepoint dormouse_transaction")) {
            failAt(statement, false);
            assertThatThrownBy(() -> store.begin(0)).isInstanceOf(StoreException.class);
        }
        assertThat(commitInTransaction(step)).isInstanceOf(CommitOutcome.Committed.class);
        assertThat(usersRows()).isEqualTo(1);
    }

    @Test
    void transactionWhoseAnswerWasLostIsThereAsAWhole() throws SQLException {
        Commit step = Sample.step(run, 0);
        failAt("commit", true);
        assertThat(commitInTransaction(step)).isInstanceOf(CommitOutcome.Unknown.class);
        assertThat(usersRows()).isEqualTo(1);
        assertThat(store.run(0, run.runId()).orElseThrow().nextSeq()).isEqualTo(2);
        assertThat(commit(step)).isInstanceOf(CommitOutcome.Committed.class);
    }

    @Test
    void startWhoseAnswerWasLostFindsItsOwnRun() {
        Start start = Sample.leased("b");
        failAt("commit", true);
        assertThat(store.start(0, List.of(start))).allMatch(StartOutcome.Unknown.class::isInstance);
        StartOutcome again = store.start(0, List.of(start)).get(0);
        assertThat(((StartOutcome.Exists) again).run().runId()).isEqualTo(start.runId());
        assertThat(Whole.runs(store)).hasSize(2);
    }

    @Test
    void connectionThatCannotEvenRollBackIsReplaced() {
        watched.failing((sql, isOver) -> {
            if (sql.equals(Commits.GO_ON) || sql.equals("rollback")) {
                throw new SQLException("disk I/O error", null, 10);
            }
        });
        Commit step = Sample.step(run, 0);
        assertThat(commit(step)).isInstanceOf(CommitOutcome.Unknown.class);
        watched.failing((sql, isOver) -> {});
        assertThat(commit(step)).isInstanceOf(CommitOutcome.Committed.class);
        assertThat(connections).hasSize(2);
        assertThat(Whole.runs(store)).extracting(RunRow::nextSeq).containsExactly(2);
    }

    @Test
    void fullDiskLosesNothing() throws Exception {
        List<Start> many = Sample.leased("wf-", 1_000);
        limitPages();
        List<StartOutcome> outcomes = store.start(0, many);
        assertThat(outcomes).hasSize(1_000).allMatch(StartOutcome.Unknown.class::isInstance);
        assertThat(((StartOutcome.Unknown) outcomes.get(0)).cause().code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        assertThat(Whole.runs(store)).hasSize(1);
        assertThat(store.start(0, many)).hasSize(1_000).allMatch(StartOutcome.Started.class::isInstance);
        assertThat(Whole.runs(store)).hasSize(1_001);
    }

    /** Keeps the file from growing while the writer has this connection. */
    private void limitPages() throws SQLException {
        Statement statement = connections.get(0).createStatement();
        int pages = statement.executeQuery("pragma page_count").getInt(1);
        statement.execute("pragma max_page_count = " + pages);
    }

    @Test
    void badEntryIsRefusedByItselfAndTheOthersGoThroughInOneTransaction() {
        List<Start> runs = Sample.leased("wf-", 3);
        store.start(0, runs);
        Outgoing item = new Outgoing(Sample.newId(), "to", 1, new byte[0]);
        store.commit(0, List.of(Sample.sending(Sample.step(run, 0), item)));
        watched.executed.clear();
        List<CommitOutcome> outcomes = store.commit(
                0,
                List.of(
                        Sample.step(runs.get(0), 0),
                        Sample.sending(Sample.step(runs.get(1), 0), item),
                        Sample.step(runs.get(2), 0)));
        assertThat(outcomes.get(0)).isInstanceOf(CommitOutcome.Committed.class);
        assertThat(outcomes.get(1)).isInstanceOf(CommitOutcome.Rejected.class);
        assertThat(outcomes.get(2)).isInstanceOf(CommitOutcome.Committed.class);
        assertThat(watched.executed.stream().filter("commit"::equals)).hasSize(1);
        assertThat(Whole.runs(store)).extracting(RunRow::nextSeq).containsExactlyInAnyOrder(2, 2, 1, 2);
        assertThat(store.outbox(0, 10)).hasSize(1);
    }
}
