package dev.dormouse.schedule;

import dev.dormouse.WorkflowHandle;

/** The behavior of a schedule when a run is due and its previous run is still open. Default: {@link #SKIP}. */
public enum Overlap {
    /** Skips the new run. The default. */
    SKIP,
    /** Starts the new run when the previous one has ended. If several are waiting, only the first is kept. */
    BUFFER_ONE,
    /** Starts the new run although the previous one is open. */
    ALLOW_ALL,
    /** Cancels the previous run, as {@link WorkflowHandle#cancel} does, and starts the new run at once. */
    CANCEL_PREVIOUS
}
