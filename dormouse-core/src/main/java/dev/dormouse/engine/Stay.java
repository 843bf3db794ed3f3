package dev.dormouse.engine;

import dev.dormouse.error.DormouseException;
import dev.dormouse.store.RunRow;
import org.jspecify.annotations.Nullable;

/**
 * One stay of a run in this node's memory: what its parts share, whether it goes on, and if not, why. Any thread may end it
 * or ask the run to leave; the rest belongs to the run's own.
 */
final class Stay {
    private final Engine engine;
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
    Stay(Engine engine, RunRow row, RunLog log, RunInbox inbox, Steps steps, Gate gate) {
        this.engine = engine;
        this.row = row;
        this.log = log;
        this.inbox = inbox;
        this.steps = steps;
        this.gate = gate;
    }

    Engine engine() {
        return engine;
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

    /** Throws the stay away, to begin anew from what is committed. */
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
