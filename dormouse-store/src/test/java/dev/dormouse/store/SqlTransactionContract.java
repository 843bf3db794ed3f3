package dev.dormouse.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.RunRow;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** Transactions of stores whose users write SQL. */
public interface SqlTransactionContract extends TransactionWords {

    private static void fail(Connection connection) {
        assertThatThrownBy(() -> execute(connection, "insert into no_such_table values (1)"))
                .isInstanceOf(SQLException.class);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    @Test
    default void savepointsAreTheUsers() throws Exception {
        Held held = heldBesideTable("a");
        try (StoreTransaction transaction = adding("one")) {
            Connection connection = transaction.connection();
            Savepoint nameless = connection.setSavepoint();
            add(transaction, "two");
            connection.rollback(nameless);
            Savepoint named = connection.setSavepoint("mine");
            add(transaction, "three");
            connection.releaseSavepoint(named);
            execute(connection, "savepoint s");
            add(transaction, "four");
            execute(connection, "rollback to s");
            execute(connection, "ROLLBACK TRANSACTION TO SAVEPOINT s");
            assertThat(transaction.commit(held.step())).isInstanceOf(CommitOutcome.Committed.class);
        }
        assertThat(stored()).containsExactly("one", "three");
        try (StoreTransaction transaction = adding("five")) {
            transaction.connection().setSavepoint();
        }
        assertThat(stored()).containsExactly("one", "three");
        committed(held("b").step());
    }

    @Test
    default void failedStatementThatIsTakenBackDoesNotMatter() throws Exception {
        Held held = heldBesideTable("a");
        try (StoreTransaction transaction = adding("one")) {
            Savepoint before = transaction.connection().setSavepoint();
            fail(transaction.connection());
            transaction.connection().rollback(before);
            add(transaction, "two");
            assertThat(transaction.commit(held.step())).isInstanceOf(CommitOutcome.Committed.class);
        }
        assertThat(stored()).containsExactly("one", "two");
    }

    @Test
    default void nothingIsLeftWhenTheUserGivesUpAfterAFailedStatement() throws Exception {
        RunRow before = row(heldBesideTable("a").runId());
        try (StoreTransaction transaction = adding("one")) {
            fail(transaction.connection());
        }
        assertNothingStored(before);
        assertThat(addAndCommit("two", Held.of(before).step())).isInstanceOf(CommitOutcome.Committed.class);
    }

    @Test
    default void statementsThatAreLeftOpenAreClosed() throws Exception {
        Held held = heldBesideTable("a");
        StoreTransaction transaction = adding("one");
        add(transaction, "two");
        Statement statement = transaction.connection().createStatement();
        ResultSet rows = statement.executeQuery("select 1 union all select 2");
        rows.next();
        Commit step = held.step();
        assertThat(transaction.commit(step)).isInstanceOf(CommitOutcome.Committed.class);
        TransactionGuardContract.assertRefused(() -> statement.executeQuery("select 1"));
        TransactionGuardContract.assertRefused(rows::next);
        assertThat(statement.isClosed()).isTrue();
        statement.close();
        rows.close();
        committed(held.after(step).step());
        assertThat(stored()).hasSize(2);
    }

    @Test
    default void everythingLeadsBackToTheGuard() throws Exception {
        try (StoreTransaction transaction = begin()) {
            Connection connection = transaction.connection();
            DatabaseMetaData data = connection.getMetaData();
            assertThat(data.getConnection()).isSameAs(connection);
            try (Statement statement = connection.createStatement();
                    PreparedStatement prepared = connection.prepareStatement("select 1");
                    ResultSet rows = prepared.executeQuery();
                    ResultSet tables = data.getTables(null, null, "x", null)) {
                assertThat(statement.getConnection()).isSameAs(connection);
                assertThat(prepared.getConnection()).isSameAs(connection);
                assertThat(rows.getStatement()).isSameAs(prepared);
                if (tables.getStatement() != null) {
                    assertThat(tables.getStatement().getConnection()).isSameAs(connection);
                }
                assertThat(statement.unwrap(Statement.class)).isSameAs(statement);
                TransactionGuardContract.assertRefused(() -> statement.execute("commit"));
                TransactionGuardContract.assertRefused(() -> statement.executeUpdate("rollback"));
                TransactionGuardContract.assertRefused(() -> statement.addBatch("end"));
            }
        }
    }

    /** Hides the commit behind another statement, where it is not detected before it runs. */
    @Test
    default void commitThatHidesInATextIsNoticedAndTheRunStaysWhereItWas() throws Exception {
        Held held = heldBesideTable("a");
        RunRow before = row(held.runId());
        try (StoreTransaction transaction = adding("one")) {
            execute(transaction.connection(), "savepoint s; commit");
            assertEndedByUser(transaction.commit(held.step()));
        }
        assertThat(row(held.runId())).isEqualTo(before);
        assertThat(stored()).containsExactly("one");
    }

    @Test
    default void rollbackThatHidesInATextIsNoticedToo() throws Exception {
        Held held = heldBesideTable("a");
        RunRow before = row(held.runId());
        try (StoreTransaction transaction = adding("one")) {
            execute(transaction.connection(), "savepoint s; rollback; begin");
            assertEndedByUser(transaction.commit(held.step()));
        }
        assertNothingStored(before);
        assertThat(addAndCommit("two", held.step())).isInstanceOf(CommitOutcome.Committed.class);
    }

    private static void assertEndedByUser(CommitOutcome outcome) {
        assertThat(outcome).isInstanceOf(CommitOutcome.Rejected.class);
        StoreException reason = ((CommitOutcome.Rejected) outcome).reason();
        assertThat(reason.code()).isEqualTo(ErrorCode.NOT_ALLOWED_HERE);
        assertThat(reason).hasMessageMatching("\\[DM1009] Expected .*, but .*ended it.*\\. .+\\.");
    }
}
