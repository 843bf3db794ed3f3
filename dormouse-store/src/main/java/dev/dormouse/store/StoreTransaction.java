package dev.dormouse.store;

import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import java.sql.Connection;

/**
 * A transaction on the store's own database in which a user's statements and one commit of a run take effect together
 * or not at all.
 *
 * <p>Used by one thread at a time, not always the same.
 */
public interface StoreTransaction extends AutoCloseable {

    /**
     * Returns the connection for the user's statements. Each statement sees what was committed before it
     * ({@code READ COMMITTED}, or a stricter level if the database has no other).
     *
     * <p>Calls that would end the transaction or outlast it (commit, rollback other than to a savepoint, close,
     * auto-commit, read-only) throw a DormouseException NOT_ALLOWED_HERE, even as the beginning of an SQL text. After
     * the transaction has ended, every call does.
     */
    Connection connection();

    /**
     * Applies a commit by the rules of {@link Store#commit} and ends the transaction with it. Never throws because of
     * the database. Returns one of these outcomes:
     *
     * <ul>
     *   <li>{@code Committed}: the user's rows are committed. If an identical commit was applied before, they are the
     *       rows of that earlier transaction. This transaction is then rolled back, so that no row exists twice.
     *   <li>{@code Locked}: the transaction is still open, and the same commit can be tried again.
     *   <li>{@code Unknown}: it is not known whether anything was committed.
     *   <li>{@code Rejected}: the transaction was rolled back because of the content of the commit or because of the
     *       user's statements. A statement failed and was not rolled back to a savepoint, a deferred constraint does
     *       not hold, or a statement ended the transaction without the guard's notice (NOT_ALLOWED_HERE). In this last
     *       case that statement decided whether the user's changes were committed.
     *   <li>In all other cases the transaction was rolled back.
     * </ul>
     */
    CommitOutcome commit(Commit commit);

    /** Rolls back the transaction, unless it was committed or its outcome is unknown. Never throws. */
    @Override
    void close();
}
