package dev.dormouse.sqlite.run;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.sqlite.connect.WriteConnection;
import dev.dormouse.sqlite.sql.Quietly;
import dev.dormouse.sqlite.sql.SqlErrors;
import dev.dormouse.sqlite.sql.SqlSession;
import dev.dormouse.sqlite.sql.Tx;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.jdbc.GuardedConnection;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.SQLiteConnection;

/**
 * A user's statements and one commit, in one transaction that holds the file's write lock from start to end. The run
 * cannot change meanwhile, so the commit is never blocked.
 *
 * <p>A savepoint at the start marks the transaction: any end of the transaction removes the mark, and a later
 * transaction does not have it. Not thread-safe.
 */
public final class SqliteTransaction implements StoreTransaction {
    private static final String MARK = "savepoint dormouse_transaction";
    private static final String CHECK_MARK = "release dormouse_transaction";

    private final String database;
    private final WriteConnection writer;
    private final int shard;
    private final SqlSession session;
    private final GuardedConnection guard;
    private boolean hasEnded;

    private SqliteTransaction(String database, WriteConnection writer, int shard, SqlSession session) {
        this.database = database;
        this.writer = writer;
        this.shard = shard;
        this.session = session;
        this.guard = new GuardedConnection(session.connection());
    }

    public static SqliteTransaction begin(String database, WriteConnection writer, int shard) throws SQLException {
        SqlSession session = writer.lend();
        boolean hasBegun = false;
        try {
            session.execute(MARK);
            setAutoCommit(session, false);
            hasBegun = true;
            return new SqliteTransaction(database, writer, shard, session);
        } finally {
            if (!hasBegun) {
                writer.takeBack(session, false);
            }
        }
    }

    /**
     * Sets the driver's view of the transaction. Otherwise the driver would begin or commit by itself, for example
     * around a savepoint.
     */
    private static void setAutoCommit(SqlSession session, boolean isOn) throws SQLException {
        session.connection()
                .unwrap(SQLiteConnection.class)
                .getConnectionConfig()
                .setAutoCommit(isOn);
    }

    @Override
    public Connection connection() {
        return guard.connection();
    }

    @Override
    public CommitOutcome commit(Commit commit) {
        if (hasEnded) {
            throw new DormouseException(
                    ErrorCode.NOT_ALLOWED_HERE,
                    "Expected an open transaction, but this one has ended. Begin a new one.");
        }
        guard.end();
        boolean[] isCommitted = {false};
        try {
            return apply(commit, () -> {
                session.execute("commit");
                isCommitted[0] = true;
                writer.identity().checkCommitted();
            });
        } finally {
            end(isCommitted[0]);
        }
    }

    private CommitOutcome apply(Commit commit, Commits.Along end) {
        try {
            if (writer.isClosed()) {
                throw SqlErrors.closed();
            }
            if (!isMarked()) {
                return new CommitOutcome.Rejected(endedByUser());
            }
            return Commits.apply(new Tx(session, shard, writer.now()), commit, end);
        } catch (SQLException e) {
            return SqlErrors.isOfEntry(e)
                    ? new CommitOutcome.Rejected(SqlErrors.ofEntry(e))
                    : new CommitOutcome.Unknown(SqlErrors.of(database, e));
        } catch (RuntimeException e) {
            return new CommitOutcome.Rejected(SqlErrors.ofEntry(e));
        }
    }

    /** Returns true if the transaction is still the one that was begun. */
    private boolean isMarked() throws SQLException {
        try {
            session.execute(CHECK_MARK);
            return true;
        } catch (SQLException e) {
            if (SqlErrors.isMistake(e)) {
                return false;
            }
            throw e;
        }
    }

    private static StoreException endedByUser() {
        return new StoreException(
                ErrorCode.NOT_ALLOWED_HERE,
                "Expected a transaction that Dormouse ends by itself, but one of the statements in it has ended it, by "
                        + "COMMIT, ROLLBACK, ON CONFLICT ROLLBACK or a failure that was not thrown on. Let the step return "
                        + "or throw, and use savepoints in between.",
                null);
    }

    @Override
    public void close() {
        if (!hasEnded) {
            guard.end();
            end(false);
        }
    }

    private void end(boolean isCommitted) {
        hasEnded = true;
        Quietly.run(() -> setAutoCommit(session, true));
        writer.takeBack(session, isCommitted);
    }
}
