package dev.dormouse.sqlite;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.Commit;
import dev.dormouse.store.CommitOutcome;
import dev.dormouse.store.StoreException;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.jdbc.GuardedConnection;
import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.SQLiteConnection;

/**
 * A user's statements and one commit under the file's write lock, from beginning to end. Nobody else can change the run
 * meanwhile, so a commit is never held up by anyone.
 *
 * <p>A savepoint right at the beginning is the mark of the transaction: whatever ends it, takes the mark with it, and
 * nothing that is begun afterwards has it.
 */
final class SqliteTransaction implements StoreTransaction {
    private static final String MARK = "savepoint dormouse_transaction";
    private static final String CHECK_MARK = "release dormouse_transaction";

    private final String database;
    private final Writer writer;
    private final int shard;
    private final Session session;
    private final GuardedConnection guard;
    private boolean hasEnded;

    private SqliteTransaction(String database, Writer writer, int shard, Session session) {
        this.database = database;
        this.writer = writer;
        this.shard = shard;
        this.session = session;
        this.guard = new GuardedConnection(session.connection());
    }

    static SqliteTransaction begin(String database, Writer writer, int shard) throws SQLException {
        Session session = writer.lend();
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

    /** Tells the driver where it stands. It would otherwise begin or commit by itself, around a savepoint for one. */
    private static void setAutoCommit(Session session, boolean isOn) throws SQLException {
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
                throw Failures.closed();
            }
            if (!isMarked()) {
                return new CommitOutcome.Rejected(endedByUser());
            }
            return Commits.apply(new Tx(session, shard, writer.now()), commit, end);
        } catch (SQLException e) {
            return Failures.isOfEntry(e)
                    ? new CommitOutcome.Rejected(Failures.ofEntry(e))
                    : new CommitOutcome.Unknown(Failures.of(database, e));
        } catch (RuntimeException e) {
            return new CommitOutcome.Rejected(Failures.ofEntry(e));
        }
    }

    /** Whether the transaction is still the one that was begun. */
    private boolean isMarked() throws SQLException {
        try {
            session.execute(CHECK_MARK);
            return true;
        } catch (SQLException e) {
            if (Failures.isMistake(e)) {
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
