package dev.dormouse;

/** What a schedule does when it is time for a run, and the one that it has started last is still open. */
public enum Overlap {
    /** The default: the new one is left out. */
    SKIP,
    /** The new one starts when the other has ended; of several that wait only the first. */
    BUFFER_ONE,
    /** The new one starts beside it. */
    ALLOW_ALL,
    /** The other is asked to end, as by {@link WorkflowHandle#cancel}, and the new one starts. */
    CANCEL_PREVIOUS
}
