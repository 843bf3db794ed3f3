package dev.dormouse.internal.engine.run;

import dev.dormouse.internal.engine.loop.DeferredResultLoop;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Lets results of steps wait for a while before they are committed, in runs of a type for which that is good enough. Only
 * results: whatever else a run has seen or asked for is committed before the next step begins.
 *
 * <p>The run's thread lends its log out while it executes a step. The {@link DeferredResultLoop} may take it then, and commit what
 * has waited long enough; the run's thread waits for that when its step is over.
 */
public final class DeferredResults {
    /** How long a result waits at the most before it is sent to the store. */
    static final Duration LONGEST = Duration.ofMillis(50);

    /** What is younger than this waits for the next round of the {@link DeferredResultLoop}. */
    public static final Duration SHORTEST = LONGEST.dividedBy(2);

    private static final int MOST = 1_000;
    private static final int MOST_BYTES = 1 << 20;

    private final Activation activation;
    private final Committer committer;
    private final CancelWatch cancels;
    private final boolean allowed;
    private State state = State.KEPT;
    private @Nullable CommitOutcome refused;

    private enum State {
        KEPT,
        LENT,
        SENT
    }

    /** @param allowed whether results may wait at all */
    DeferredResults(Activation activation, Committer committer, CancelWatch cancels, boolean allowed) {
        this.activation = activation;
        this.committer = committer;
        this.cancels = cancels;
        this.allowed = allowed;
    }

    private boolean mayWait() {
        return allowed
                && !activation.isClosing()
                && committer.hasFreshResults()
                && activation.log().hasOnlyResults()
                && activation.log().fresh().size() < MOST
                && activation.log().freshBytes() < MOST_BYTES;
    }

    /** How long the fresh events may wait on; zero where something is about to rest on them. */
    Duration left() {
        Duration left = mayWait() ? LONGEST.minusNanos(age()) : Duration.ZERO;
        return left.isNegative() ? Duration.ZERO : left;
    }

    private long age() {
        return activation.parts().context().threads().nanoTime() - committer.oldestResult();
    }

    /** From here on the run's thread executes a step, and does not touch its log. */
    void lend() {
        if (allowed && activation.log().hasFresh()) {
            synchronized (this) {
                state = State.LENT;
            }
            activation.parts().host().resultsDeferred();
        }
    }

    /** From here on the log is the run's again. */
    void takeBack() {
        if (allowed) {
            while (!tryTakeBack()) {
                activation.gate().pass();
            }
            if (refused != null) {
                throw committer.refused(refused);
            }
        }
    }

    private synchronized boolean tryTakeBack() {
        if (state == State.SENT) {
            return false;
        }
        state = State.KEPT;
        return true;
    }

    synchronized boolean isLent() {
        return state == State.LENT;
    }

    synchronized boolean isOnItsWay() {
        return state == State.SENT;
    }

    /** Whether results wait to be committed. May be asked by any thread. */
    boolean hasSome() {
        return allowed && committer.hasFreshResults();
    }

    /** Sends what has waited for so long; tells whether there is something that has not. */
    synchronized boolean flush(Duration waited) {
        if (state != State.LENT || activation.isOver()) {
            return false;
        } else if (age() < waited.toNanos()) {
            return true;
        }
        Commit commit = activation.log().commit(committer.running(), null);
        state = State.SENT;
        activation
                .parts()
                .context()
                .writers(activation.row().shard())
                .submit(commit, outcome -> settle(commit, outcome));
        return false;
    }

    private void settle(Commit commit, CommitOutcome outcome) {
        boolean isCommitted = false;
        try {
            if (outcome instanceof CommitOutcome.Committed committed) {
                committer.applied(commit, committed);
                isCommitted = true;
            }
        } finally {
            synchronized (this) {
                refused = isCommitted ? null : outcome;
                state = State.KEPT;
            }
        }
        if (isCommitted) {
            cancels.look(); // the answer told of mail, and nobody else will
            activation.gate().open();
        } else {
            activation.stop(); // the step that executes is in vain
        }
    }
}
