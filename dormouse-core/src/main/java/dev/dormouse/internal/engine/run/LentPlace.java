package dev.dormouse.internal.engine.run;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;

/**
 * The place of a run in the {@link RunTable}, which is lent to other runs while steps of this run wait for them. It
 * is lent once, however many steps wait. A run that ends while a loan is open keeps the table's sum correct: the run
 * releases the place and the loan ends with the wait. Thread-safe.
 */
final class LentPlace {
    private final RunTable table;
    private int waiting;

    LentPlace(RunTable table) {
        this.table = table;
    }

    /** Lends the place because {@code step} starts to wait for another run. */
    synchronized void lend(String step) {
        if (waiting == 0 && !table.tryLend()) {
            throw new DormouseException(
                    ErrorCode.TOO_MANY_WAITS,
                    "Expected at most " + table.maxLent() + " runs of this node to wait for other runs in their steps, "
                            + "but step '" + step + "' would be one more. It is tried again if its policy allows it. "
                            + "Start a child from workflow code instead (Workflow.child(…)): it is awaited without a "
                            + "thread.");
        }
        waiting++;
    }

    synchronized void takeBack() {
        if (--waiting == 0) {
            table.takeBack();
        }
    }
}
