package dev.dormouse.internal.engine.run;

import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Step results that are committed up to 50 ms late, in runs of batched workflow types. Only results are deferred:
 * every other event is committed before the next step starts.
 *
 * <p>The run's thread lends out its log while it executes a step. The {@code DeferredResultLoop} may take the log
 * then and commit results that are old enough. After the step, the run's thread waits for such a commit before it
 * uses the log again.
 *
 * <p><b>Guarantee.</b> The log has one user at a time: the run's thread ({@code KEPT}), the loop inside {@link
 * #flush} ({@code LENT}), or the writer that reports the outcome ({@code SENT}). If the node dies before a deferred
 * result is committed, the step is executed again; batched types accept that.
 */
public final class DeferredResults {
    /** The longest time that a result waits before it is sent to the store. */
    static final Duration LONGEST = Duration.ofMillis(50);

    /** The age below which a result waits for the next round of the {@code DeferredResultLoop}. */
    public static final Duration SHORTEST = LONGEST.dividedBy(2);

    private static final int MAX_RESULTS = 1_000;
    private static final int MAX_BYTES = 1 << 20;

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

    /** @param allowed true if results may be deferred at all */
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
                && activation.log().fresh().size() < MAX_RESULTS
                && activation.log().freshBytes() < MAX_BYTES;
    }

    /** Returns how much longer the fresh events may wait; zero if they must be committed now. */
    Duration left() {
        Duration left = mayWait() ? LONGEST.minusNanos(age()) : Duration.ZERO;
        return left.isNegative() ? Duration.ZERO : left;
    }

    private long age() {
        return activation.parts().context().threads().nanoTime() - committer.oldestResult();
    }

    /** Lends out the log: the run's thread executes a step and does not touch it until {@link #takeBack}. */
    void lend() {
        if (allowed && activation.log().hasFresh()) {
            synchronized (this) {
                state = State.LENT;
            }
            activation.parts().host().resultsDeferred();
        }
    }

    /**
     * Takes the log back for the run's thread, after a commit in progress has ended.
     *
     * @throws dev.dormouse.internal.run.Evicted if that commit was refused
     */
    void takeBack() {
        if (allowed) {
            awaitAnswer();
            if (refused != null) {
                throw committer.refused(refused);
            }
        }
    }

    /** Waits until no commit is in progress. */
    void awaitAnswer() {
        while (!tryTakeBack()) {
            activation.gate().pass();
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

    /** Returns true if results wait to be committed. May be called by any thread. */
    boolean hasSome() {
        return allowed && committer.hasFreshResults();
    }

    /** Commits the results if the oldest has waited for {@code minAge}. Returns true if they are younger and remain. */
    synchronized boolean flush(Duration minAge) {
        if (state != State.LENT || activation.isOver()) {
            return false;
        } else if (age() < minAge.toNanos()) {
            return true;
        }
        if (!activation.log().tryBeginWrite()) {
            return false; // the lease is being released
        }
        Commit commit = activation.log().commit(committer.running(), null);
        state = State.SENT;
        committer.submit(commit, outcome -> settle(commit, outcome));
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
            activation.log().endWrite();
            synchronized (this) {
                refused = isCommitted ? null : outcome;
                state = State.KEPT;
            }
        }
        if (isCommitted) {
            cancels.look(); // the answer may report new messages, and no other notification may come
            activation.gate().open();
        } else {
            activation.stop(); // the result of the executing step can no longer be committed
        }
    }
}
