package dev.dormouse.store;

import java.sql.Connection;

/**
 * A transaction on the store's own database in which a user's statements and one commit of a run take effect together
 * or not at all. For one thread at a time, not always the same.
 */
public interface StoreTransaction extends AutoCloseable {

    /**
     * For the user's statements, which see what was committed before each of them ({@code READ COMMITTED}, or more where
     * the database has no less). Whatever would end the transaction or outlast it (commit, rollback other than to a
     * savepoint, close, auto-commit, read-only) is refused with a DormouseException NOT_ALLOWED_HERE, also where it is
     * the beginning of an SQL text. Once the transaction has ended, everything is.
     */
    Connection connection();

    /**
     * Applies a commit by the rules of {@link Store#commit} and ends the transaction with it. Never throws because of the
     * database.
     *
     * <ul>
     *   <li>{@code Committed}: so are the user's rows. Where an identical commit was applied before, those are the rows of
     *       the transaction that it was applied in; this one's are rolled back, so that none are there twice.
     *   <li>{@code Locked}: the transaction is still open, and the same commit may be tried again.
     *   <li>{@code Unknown}: nobody knows.
     *   <li>{@code Rejected}: rolled back, for what the commit holds or for what the user's statements did: one has failed
     *       and was not taken back, a deferred constraint does not hold, or a statement has ended the transaction behind
     *       the guard's back (NOT_ALLOWED_HERE). In this last case what the user's statements did stays or does not, as
     *       they said themselves.
     *   <li>in all other cases everything was rolled back.
     * </ul>
     */
    CommitOutcome commit(Commit commit);

    /** Rolls back, unless it was committed or nobody knows. Never throws. */
    @Override
    void close();
}
