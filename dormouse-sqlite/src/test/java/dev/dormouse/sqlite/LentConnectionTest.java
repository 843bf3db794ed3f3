package dev.dormouse.sqlite;

import static dev.dormouse.sqlite.Errors.assertError;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Start;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConnection;

/** Transactions with users' statements on a file: the state they leave, what they block, and what blocks them. */
@Tag("slow")
@Timeout(60)
class LentConnectionTest {
    @TempDir
    Path directory;

    private Path file;
    private Store store;
    private Start run;

    @BeforeEach
    void open() {
        file = directory.resolve("trial.db");
        store = Stores.open(file);
        run = Sample.leased("a");
        store.start(0, List.of(run));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    private static int query(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getInt(1) : 0;
        }
    }

    private CommitOutcome commit(Start start) {
        return store.commit(0, List.of(Sample.step(start, 0))).get(0);
    }

    @Test
    void writesAreLockedAndReadsGoOnWhileATransactionIsOpen() throws SQLException {
        Start other = Sample.leased("b");
        store.start(0, List.of(other));
        try (StoreTransaction transaction = store.begin(0)) {
            execute(transaction.connection(), "create table mine (id integer)");
            assertThat(store.run(0, run.runId())).isPresent();
            assertThat(commit(other)).isEqualTo(new CommitOutcome.Locked());
            assertError(ErrorCode.STORE_UNAVAILABLE, () -> store.claim(0, Sample.claim(1)));
            assertThat(transaction.commit(Sample.step(run, 0))).isInstanceOf(CommitOutcome.Committed.class);
        }
        assertThat(commit(other)).isInstanceOf(CommitOutcome.Committed.class);
    }

    @Test
    void transactionIsNotBegunWhileTheUsersOwnHoldsTheLock() throws SQLException {
        try (Connection user = Stores.connect(file)) {
            execute(user, "begin immediate");
            assertError(ErrorCode.STORE_UNAVAILABLE, () -> store.begin(0)).contains("write lock");
            execute(user, "commit");
        }
        store.begin(0).close();
        assertThat(commit(run)).isInstanceOf(CommitOutcome.Committed.class);
    }

    @Test
    void nothingThatAUserLeavesReachesOthers() throws SQLException {
        try (StoreTransaction transaction = store.begin(0)) {
            execute(transaction.connection(), "create temporary table scratch (x)");
            execute(transaction.connection(), "pragma cache_size = 7");
            execute(transaction.connection(), "pragma recursive_triggers = on");
            assertThat(transaction.commit(Sample.step(run, 0))).isInstanceOf(CommitOutcome.Committed.class);
        }
        try (StoreTransaction transaction = store.begin(0)) {
            assertThat(query(transaction.connection(), "select count(*) from temp.sqlite_schema"))
                    .isZero();
            assertThat(query(transaction.connection(), "pragma cache_size")).isNotEqualTo(7);
            assertThat(query(transaction.connection(), "pragma recursive_triggers"))
                    .isZero();
            assertThat(query(transaction.connection(), "pragma synchronous")).isEqualTo(2);
        }
    }

    @Test
    void failedStatementIsNotTheWholeTransactionsAndARollbackOnConflictIs() throws SQLException {
        try (StoreTransaction transaction = store.begin(0)) {
            execute(transaction.connection(), "create table mine (id integer primary key)");
            execute(transaction.connection(), "insert into mine values (1)");
            assertThatThrownBy(() -> execute(transaction.connection(), "insert into mine values (1)"))
                    .isInstanceOf(SQLException.class);
            assertThat(transaction.commit(Sample.step(run, 0))).isInstanceOf(CommitOutcome.Committed.class);
        }
        Start other = Sample.leased("b");
        store.start(0, List.of(other));
        try (StoreTransaction transaction = store.begin(0)) {
            execute(transaction.connection(), "insert into mine values (2)");
            assertThatThrownBy(() -> execute(transaction.connection(), "insert or rollback into mine values (1)"))
                    .isInstanceOf(SQLException.class);
            CommitOutcome outcome = transaction.commit(Sample.step(other, 0));
            assertThat(((CommitOutcome.Rejected) outcome).reason().code()).isEqualTo(ErrorCode.NOT_ALLOWED_HERE);
        }
        try (StoreTransaction transaction = store.begin(0)) {
            assertThat(query(transaction.connection(), "select max(id) from mine"))
                    .isEqualTo(1);
        }
        assertThat(commit(other)).isInstanceOf(CommitOutcome.Committed.class);
    }

    @Test
    void startMayBePartOfATransactionWithACommit() throws SQLException {
        try (StoreTransaction transaction = store.begin(0)) {
            store.startWithin(transaction.connection(), 0, Sample.pending("b"));
            assertThat(transaction.commit(Sample.step(run, 0))).isInstanceOf(CommitOutcome.Committed.class);
        }
        try (StoreTransaction transaction = store.begin(0)) {
            store.startWithin(transaction.connection(), 0, Sample.pending("c"));
        }
        assertThat(store.current(0, "b")).isPresent();
        assertThat(store.current(0, "c")).isEmpty();
    }

    @Test
    void driversClassIsRefused() {
        try (StoreTransaction transaction = store.begin(0)) {
            assertThatThrownBy(() -> transaction.connection().unwrap(SQLiteConnection.class))
                    .isInstanceOf(DormouseException.class);
        }
    }

    @Test
    void closedStoreCommitsNothingMore() {
        for (String url : List.of("sqlite:" + directory.resolve("other.db"), "sqlite::memory:")) {
            Store closing = Stores.open(url, 1);
            Start start = Sample.leased("a");
            closing.start(0, List.of(start));
            StoreTransaction transaction = closing.begin(0);
            closing.close();
            assertThat(transaction.commit(Sample.step(start, 0))).isInstanceOf(CommitOutcome.Unknown.class);
            assertError(ErrorCode.DORMOUSE_CLOSED, () -> closing.begin(0));
        }
    }
}
