package dev.dormouse.postgres;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.Commit;
import dev.dormouse.store.CommitOutcome;
import dev.dormouse.store.StoreException;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.jdbc.GuardedConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * A user's statements and one commit. The run's row is locked by the last statement before COMMIT, so that a user who
 * takes long holds up nobody, and nobody waits for anything that the engine holds.
 *
 * <p>A savepoint right at the beginning is the mark of the transaction: whatever ends it, takes the mark with it, and
 * nothing that is begun afterwards has it. The engine's settings (its plans, its timeouts, its search_path) hold from
 * there on only, behind a savepoint of their own: a commit that is held up takes them back with it, and the user can go
 * on as before.
 *
 * <p>What fails for good, with a word of the server that it did, is {@code Rejected}. Everything else that fails is
 * {@code Unknown}, also where it could be known that nothing was applied: a failed serialization is better tried again by
 * running the user's code anew, and that is what becomes of what is unknown.
 */
final class PostgresTransaction implements StoreTransaction {
    private static final String BEGIN = "set transaction isolation level read committed read write; "
            + EngineSettings.USER.setLocallyWhereUnset() + "; savepoint dormouse_transaction";
    private static final String BEGIN_COMMIT =
            "release savepoint dormouse_transaction; savepoint dormouse_commit; " + EngineSettings.WORK.setLocally();
    private static final String TAKE_COMMIT_BACK = "rollback to savepoint dormouse_commit; "
            + "release savepoint dormouse_commit; savepoint dormouse_transaction";

    /** No such savepoint, and no transaction at all. */
    private static final Set<String> MARK_IS_GONE = Set.of("3B001", "25P01");

    private static final String STATEMENT_HAS_FAILED = "25P02";

    /** The state of the error when a standby is asked for a transaction that writes. */
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

    /** A commit that was applied before brought its own rows with it: then this transaction has nothing to add. */
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

    /** From here on it is too late to say that it was locked. */
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
