package dev.dormouse.internal.engine.run;

import dev.dormouse.error.DormouseException;
import dev.dormouse.internal.run.Evicted;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.store.run.RunRow;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of one {@link RunSession} share, whether it continues, and if not, why. Any thread may end it or ask the run
 * to leave; the rest belongs to the run's own thread.
 */
final class Activation {
    private final RunParts parts;
    private final RunRow row;
    private final RunLog log;
    private final RunInbox inbox;
    private final Steps steps;
    private final Gate gate;
    private boolean restart;
    private @Nullable DormouseException trouble;
    private volatile long lostLease = RunRow.NO_LEASE;
    private volatile boolean stopped;
    private volatile boolean closing;

    /** @param gate opened when something may have come in */
    Activation(RunParts parts, RunRow row, RunLog log, RunInbox inbox, Steps steps, Gate gate) {
        this.parts = parts;
        this.row = row;
        this.log = log;
        this.inbox = inbox;
        this.steps = steps;
        this.gate = gate;
    }

    RunParts parts() {
        return parts;
    }

    RunRow row() {
        return row;
    }

    RunLog log() {
        return log;
    }

    RunInbox inbox() {
        return inbox;
    }

    Steps steps() {
        return steps;
    }

    Gate gate() {
        return gate;
    }

    // ---- its end

    /** The lease was found to be gone. Means nothing if the run has another one by then. */
    void lost(long lease) {
        lostLease = lease;
        if (isLost()) {
            gate.open();
            steps.interrupt();
        }
    }

    private boolean isLost() {
        return lostLease != RunRow.NO_LEASE && lostLease == log.lease();
    }

    /** Throws the run out of memory, whatever the store says of it. */
    void stop() {
        stopped = true;
        gate.open();
        steps.interrupt();
    }

    /** Asks the run to leave at its next pause. */
    void close() {
        closing = true;
        gate.open();
    }

    boolean isClosing() {
        return closing;
    }

    boolean isOver() {
        return isLost() || stopped;
    }

    void check() {
        if (isOver()) {
            throw new Evicted();
        }
    }

    /** Drops the activation, to begin anew from what is committed. */
    Evicted restart() {
        restart = true;
        return new Evicted();
    }

    boolean mustRestart() {
        return restart;
    }

    /** The store will not take what this run wants to commit. */
    Evicted trouble(DormouseException reason) {
        trouble = reason;
        return new Evicted();
    }

    @Nullable
    DormouseException trouble() {
        return trouble;
    }
}
