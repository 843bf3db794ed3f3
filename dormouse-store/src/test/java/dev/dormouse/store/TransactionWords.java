package dev.dormouse.store;

import static dev.dormouse.store.Samples.SHARD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.RunRow;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/**
 * The vocabulary of the transaction contracts. While a transaction is open, its own thread must not call the store
 * otherwise: with a database that has a single connection, it would wait for itself.
 */
interface TransactionWords extends ContractWords {

    /** Returns a new run that this node holds, in a database that has the user's table. */
    default Held heldBesideTable(String workflowId) throws SQLException {
        Held setUp = held("creates the table");
        try (StoreTransaction transaction = begin()) {
            userRows().create(transaction.connection());
            assertThat(transaction.commit(setUp.close())).isInstanceOf(CommitOutcome.Committed.class);
        }
        return held(workflowId);
    }

    default StoreTransaction begin() {
        return store().begin(SHARD);
    }

    /** Begins a transaction and adds a row. */
    default StoreTransaction adding(String row) throws SQLException {
        StoreTransaction transaction = begin();
        add(transaction, row);
        return transaction;
    }

    default void add(StoreTransaction transaction, String row) throws SQLException {
        userRows().add(transaction.connection(), row);
    }

    /** Adds a row and commits in one transaction. */
    default CommitOutcome addAndCommit(String row, Commit commit) throws SQLException {
        try (StoreTransaction transaction = adding(row)) {
            return transaction.commit(commit);
        }
    }

    /** Returns the committed rows. */
    default List<String> stored() throws SQLException {
        try (StoreTransaction transaction = begin()) {
            return userRows().all(transaction.connection());
        }
    }

    default void assertNothingStored(RunRow before) throws SQLException {
        assertThat(stored()).isEmpty();
        assertThat(row(before.runId())).isEqualTo(before);
        assertThat(history(before.runId())).hasSize(1);
    }

    /** Commits in a separate batch, repeatedly while another transaction holds a lock. */
    default CommitOutcome commitWhenFree(Commit commit) {
        for (int i = 0; i < 100; i++) {
            CommitOutcome outcome = commit(commit);
            if (!(outcome instanceof CommitOutcome.Locked)) {
                return outcome;
            }
        }
        throw new AssertionError("Expected the lock to be given up, but it was not.");
    }

    default int nextSeq(UUID runId) {
        return row(runId).nextSeq();
    }
}
