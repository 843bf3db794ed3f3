package dev.dormouse.postgres.run;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.postgres.connect.SessionSettings;
import dev.dormouse.postgres.connect.UserConnections;
import dev.dormouse.postgres.sql.SqlErrors;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.jdbc.GuardedConnection;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * A user's statements and one commit. The run's row is locked by the last statement before COMMIT, so that a slow user
 * blocks no other session and no session waits for the engine's locks.
 *
 * <p>A savepoint at the start marks the transaction: any end of the transaction removes the mark, and a later
 * transaction does not have it. The engine's settings (plans, timeouts, search_path) apply only after a savepoint
 * before the commit: a commit that is blocked by a lock rolls them back, and the user can continue as before.
 *
 * <p>A failure that the server reports as permanent is {@code Rejected}. Every other failure is {@code Unknown}, even
 * if it is certain that nothing was applied: a serialization failure is best retried by running the user's code again,
 * and that is how unknown outcomes are handled. Not thread-safe.
 */
final class PostgresTransaction implements StoreTransaction {
    private static final String BEGIN = "set transaction isolation level read committed read write; "
            + SessionSettings.USER.setLocallyWhereUnset() + "; savepoint dormouse_transaction";
    private static final String BEGIN_COMMIT =
            "release savepoint dormouse_transaction; savepoint dormouse_commit; " + SessionSettings.WORK.setLocally();
    private static final String TAKE_COMMIT_BACK = "rollback to savepoint dormouse_commit; "
            + "release savepoint dormouse_commit; savepoint dormouse_transaction";

    /** No such savepoint, and no transaction at all. */
    private static final Set<String> MARK_IS_GONE = Set.of("3B001", "25P01");

    private static final String STATEMENT_HAS_FAILED = "25P02";

    /** The SQLSTATE if a standby is asked for a transaction that writes. */
    private static final String NO_WRITES_DURING_RECOVERY = "0A000";

    private final UserConnections connections;
    private final UserConnections.Lent lent;
    private final int shard;
    private final CommitStatement commit;
    private final CommitExplanation explanation;
    private final GuardedConnection guard;
    private boolean hasEnded;

    private PostgresTransaction(
            UserConnections connections,
            UserConnections.Lent lent,
            int shard,
            CommitStatement commit,
            CommitExplanation explanation) {
        this.connections = connections;
        this.lent = lent;
        this.shard = shard;
        this.commit = commit;
        this.explanation = explanation;
        this.guard = new GuardedConnection(lent.connection());
    }

    static PostgresTransaction begin(
            UserConnections connections, int shard, CommitStatement commit, CommitExplanation explanation)
            throws SQLException {
        UserConnections.Lent lent = connections.lend();
        PostgresTransaction transaction = new PostgresTransaction(connections, lent, shard, commit, explanation);
        try {
            transaction.execute(BEGIN);
            return transaction;
        } catch (SQLException e) {
            SQLException problem = SqlErrors.state(e).equals(NO_WRITES_DURING_RECOVERY) ? SqlErrors.standby() : e;
            connections.discard(lent);
            throw problem;
        }
    }

    private void execute(String statements) throws SQLException {
        try (Statement statement = lent.connection().createStatement()) {
            statement.execute(statements);
        }
    }

    @Override
    public Connection connection() {
        return guard.connection();
    }

    @Override
    public CommitOutcome commit(Commit wanted) {
        if (hasEnded) {
            throw new DormouseException(
                    ErrorCode.NOT_ALLOWED_HERE,
                    "Expected an open transaction, but this one has ended. Begin a new one.");
        }
        CommitOutcome outcome = apply(wanted);
        if (!(outcome instanceof CommitOutcome.Locked)) {
            close();
        }
        return outcome;
    }

    private CommitOutcome apply(Commit wanted) {
        try {
            execute(BEGIN_COMMIT);
            return commitOrExplain(wanted);
        } catch (SQLException e) {
            return SqlErrors.isLocked(e) ? takeBack() : failed(e);
        } catch (DormouseException e) {
            return new CommitOutcome.Rejected(SqlErrors.rejected(e));
        }
    }

    /**
     * Commits, or finds out why not. If the commit was applied before, its rows were committed with it: this
     * transaction has nothing to add.
     */
    private CommitOutcome commitOrExplain(Commit wanted) throws SQLException {
        Outcomes<Commit, CommitOutcome> outcomes = new Outcomes<>(List.of(wanted));
        Instant now = commit.run(lent.connection(), shard, List.of(wanted), outcomes);
        if (outcomes.isComplete()) {
            return commitAll(outcomes.all().get(0));
        }
        explanation.run(lent.connection(), shard, now, outcomes);
        CommitOutcome explained = outcomes.all().get(0);
        return explained instanceof CommitOutcome.Locked ? takeBack() : explained;
    }

    /** Commits the transaction. From here on the outcome can no longer be "locked". */
    private CommitOutcome commitAll(CommitOutcome applied) {
        try {
            lent.connection().commit();
            return applied;
        } catch (SQLException e) {
            return failed(e);
        }
    }

    private CommitOutcome takeBack() {
        try {
            execute(TAKE_COMMIT_BACK);
            return new CommitOutcome.Locked();
        } catch (SQLException e) {
            return failed(e);
        }
    }

    private static CommitOutcome failed(SQLException e) {
        if (MARK_IS_GONE.contains(SqlErrors.state(e))) {
            return new CommitOutcome.Rejected(notAllowed("one of the statements in it has ended it", e));
        }
        if (SqlErrors.state(e).equals(STATEMENT_HAS_FAILED)) {
            return new CommitOutcome.Rejected(
                    notAllowed("one of the statements in it has failed, and PostgreSQL refuses all that follow", e));
        }
        return SqlErrors.isForGood(e)
                ? new CommitOutcome.Rejected(SqlErrors.rejected(e))
                : new CommitOutcome.Unknown(SqlErrors.unavailable(e));
    }

    private static StoreException notAllowed(String but, SQLException e) {
        return new StoreException(
                ErrorCode.NOT_ALLOWED_HERE,
                "Expected a transaction that Dormouse can commit, but " + but
                        + ". Let the step return or throw, and roll back to a savepoint what may fail.",
                e);
    }

    @Override
    public void close() {
        if (hasEnded) {
            return;
        }
        hasEnded = true;
        guard.end();
        connections.takeBack(lent);
    }
}
