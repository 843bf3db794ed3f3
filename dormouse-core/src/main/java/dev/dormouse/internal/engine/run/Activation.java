package dev.dormouse.internal.engine.run;

import dev.dormouse.error.DormouseException;
import dev.dormouse.internal.run.Evicted;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.store.run.RunRow;
import org.jspecify.annotations.Nullable;

/**
 * The shared state of one {@link RunSession}: its parts, a flag that ends it, and the reason why it ended.
 *
 * <p><b>Threads.</b> Any thread may call {@link #lost}, {@link #stop}, {@link #close}, {@link #isClosing},
 * {@link #isOver} and {@link #check}. All other state is confined to the run's thread. The flags are hints: the run's
 * thread reads them at its next check, so it may execute a little longer after another thread has set one. That is
 * harmless, because the fence of its next commit decides whether this node still holds the run.
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

    /** @param gate opened when an input may have arrived */
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

    // ---- end

    /**
     * Ends the activation because {@code lease} no longer exists. Has no effect if the run has a different lease by
     * now.
     */
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

    /** Evicts the run from memory, whatever the store says about it, and interrupts its steps. */
    void stop() {
        stopped = true;
        gate.open();
        steps.interrupt();
    }

    /** Asks the run to leave memory at its next pause. */
    void close() {
        closing = true;
        gate.open();
    }

    boolean isClosing() {
        return closing;
    }

    /** Returns true if the activation must end: its lease is lost, or it was stopped. */
    boolean isOver() {
        return isLost() || stopped;
    }

    /** Throws {@link Evicted} if the activation must end. */
    void check() {
        if (isOver()) {
            throw new Evicted();
        }
    }

    /** Drops the activation, so that {@link RunExecution} starts another one from the committed events. */
    Evicted restart() {
        restart = true;
        return new Evicted();
    }

    boolean mustRestart() {
        return restart;
    }

    /**
     * Ends the activation because it cannot commit: the store rejects its events, or inbox rows are missing. The run
     * becomes stuck.
     */
    Evicted trouble(DormouseException reason) {
        trouble = reason;
        return new Evicted();
    }

    @Nullable
    DormouseException trouble() {
        return trouble;
    }
}
