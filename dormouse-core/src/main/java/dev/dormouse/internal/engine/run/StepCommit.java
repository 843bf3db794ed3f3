package dev.dormouse.internal.engine.run;

import dev.dormouse.internal.thread.BackOff;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;

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
