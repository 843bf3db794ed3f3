package dev.dormouse.store;

import java.sql.Connection;

/**
 * A transaction on the store's own database in which a user's statements and one commit of a run take effect together
 * or not at all. For one thread at a time.
 */
public interface StoreTransaction extends AutoCloseable {

    /**
     * For the user's statements. Whatever would end the transaction or outlast it (commit, rollback other than to a
     * savepoint, close, auto-commit, read-only) is refused with a DormouseException NOT_ALLOWED_HERE.
     */
    Connection connection();

    /**
     * Applies a commit by the rules of {@link Store#commit} and ends the transaction with it. Where the outcome is
     * {@code Committed}, so are the user's rows; where it is {@code Locked}, the transaction is still open and the same
     * commit may be tried again; after {@code Unknown} nobody knows; in all other cases everything was rolled back.
     */
    CommitOutcome commit(Commit commit);

    /** Rolls back, unless it was committed. Never throws. */
    @Override
    void close();
}
