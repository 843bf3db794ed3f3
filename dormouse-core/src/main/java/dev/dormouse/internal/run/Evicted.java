package dev.dormouse.internal.run;

/**
 * The error that unwinds a run's code when the run leaves this node's memory. The run's state is in the store, and
 * whatever the unwinding code returns is discarded. It is an {@link Error}, so that workflow code does not catch it
 * by accident.
 */
public final class Evicted extends Error {
    private static final long serialVersionUID = 1L;

    public Evicted() {
        super("The run has left this node's memory; let this pass.", null, false, false);
    }
}
