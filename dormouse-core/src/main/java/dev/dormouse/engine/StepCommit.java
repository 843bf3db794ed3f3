package dev.dormouse.engine;

import dev.dormouse.store.Commit;
import dev.dormouse.store.CommitOutcome;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreException;
import dev.dormouse.store.StoreTransaction;

/** The commit of a step in a transaction, tried again for as long as somebody else has the run's row locked. */
final class StepCommit {
    private StepCommit() {}

    /** Waits until there is a connection for it, which is no sign that the store does not answer others. */
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

    /** @param checkHeld throws when the run is not ours any more */
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
