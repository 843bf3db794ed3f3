package dev.dormouse.engine;

import dev.dormouse.store.Commit;
import dev.dormouse.store.CommitOutcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Lets results of steps wait for a while before they are committed, in runs of a type for which that is good enough. Only
 * results: whatever else a run has seen or asked for is committed before the next step begins.
 *
 * <p>The run's thread lends its log out while it executes a step. The {@link FlushLoop} may take it then, and commit what
 * has waited long enough; the run's thread waits for that when its step is over.
 */
final class LateResults {
    /** How long a result waits at the most before it is sent to the store. */
    static final Duration LONGEST = Duration.ofMillis(50);

    /** What is younger than this waits for the next round of the {@link FlushLoop}. */
    static final Duration SHORTEST = LONGEST.dividedBy(2);

    private static final int MOST = 1_000;
    private static final int MOST_BYTES = 1 << 20;

    private final Stay stay;
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
    LateResults(Stay stay, Committer committer, CancelWatch cancels, boolean allowed) {
        this.stay = stay;
        this.committer = committer;
        this.cancels = cancels;
        this.allowed = allowed;
    }

    private boolean mayWait() {
        return allowed
                && !stay.isClosing()
                && committer.hasFreshResults()
                && stay.log().hasOnlyResults()
                && stay.log().fresh().size() < MOST
                && stay.log().freshBytes() < MOST_BYTES;
    }

    /** How long the fresh events may wait on; zero where something is about to rest on them. */
    Duration left() {
        Duration left = mayWait() ? LONGEST.minusNanos(age()) : Duration.ZERO;
        return left.isNegative() ? Duration.ZERO : left;
    }

    private long age() {
        return stay.engine().threads().nanoTime() - committer.oldestResult();
    }

    /** From here on the run's thread executes a step, and does not touch its log. */
    void lend() {
        if (allowed && stay.log().hasFresh()) {
            synchronized (this) {
                state = State.LENT;
            }
            stay.engine().flushes().want();
        }
    }

    /** From here on the log is the run's again. */
    void takeBack() {
        if (allowed) {
            while (!tryTakeBack()) {
                stay.gate().pass();
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
        if (state != State.LENT || stay.isOver()) {
            return false;
        } else if (age() < waited.toNanos()) {
            return true;
        }
        Commit commit = stay.log().commit(committer.running(), null);
        state = State.SENT;
        stay.engine().writers(stay.row().shard()).submit(commit, outcome -> settle(commit, outcome));
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
            stay.gate().open();
        } else {
            stay.stop(); // the step that executes is in vain
        }
    }
}
