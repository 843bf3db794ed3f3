package dev.dormouse.internal.engine.run;

import dev.dormouse.internal.thread.BackOff;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;

/** The commit of a step in a transaction. It is retried while another transaction holds the lock of the run's row. */
final class StepTransactionCommit {
    private StepTransactionCommit() {}

    /**
     * Opens a transaction, and waits until a connection is available. A missing connection does not mean that the
     * store is down, so it is not reported as an outage.
     *
     * @param checkHeld throws if the run must leave this node
     */
    static StoreTransaction begin(Store store, int shard, Gate gate, Runnable checkHeld) {
        BackOff backOff = new BackOff();
        while (true) {
            try {
                return store.begin(shard);
            } catch (StoreException notNow) {
                gate.pass(backOff.next());
                checkHeld.run();
            }
        }
    }

    /**
     * Commits in the transaction, and waits while another transaction has the row locked.
     *
     * @param checkHeld throws if the run must leave this node
     */
    static CommitOutcome send(StoreTransaction transaction, Commit commit, Gate gate, Runnable checkHeld) {
        BackOff backOff = new BackOff();
        CommitOutcome outcome = transaction.commit(commit);
        while (outcome instanceof CommitOutcome.Locked) {
            gate.pass(backOff.next());
            checkHeld.run();
            outcome = transaction.commit(commit);
        }
        return outcome;
    }
}
