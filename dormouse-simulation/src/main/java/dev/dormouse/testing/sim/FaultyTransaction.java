package dev.dormouse.testing.sim;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import java.sql.Connection;
import java.util.function.Function;

/**
 * A transaction on a {@link FaultyStore}. The user's code in it takes no time and does not fail; its commit is a call
 * like any other. A commit in flight may be executed after the caller got an unknown outcome and closed the
 * transaction: closing only ends a transaction whose commit was never sent.
 */
final class FaultyTransaction implements StoreTransaction {
    private final StoreTransaction real;
    private final Function<Commit, CommitOutcome> send;
    private boolean isSent;

    /** @param send sends a commit to the database and returns its outcome */
    FaultyTransaction(StoreTransaction real, Function<Commit, CommitOutcome> send) {
        this.real = real;
        this.send = send;
    }

    @Override
    public Connection connection() {
        return real.connection();
    }

    @Override
    public CommitOutcome commit(Commit commit) {
        if (isSent) {
            throw new DormouseException(
                    ErrorCode.NOT_ALLOWED_HERE,
                    "Expected an open transaction, but this one was sent off with a commit. Begin a new one.");
        }
        isSent = true;
        CommitOutcome outcome = send.apply(commit);
        isSent = !(outcome instanceof CommitOutcome.Locked);
        return outcome;
    }

    @Override
    public void close() {
        if (!isSent) {
            real.close();
        }
    }
}
