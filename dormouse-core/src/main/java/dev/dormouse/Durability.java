package dev.dormouse;

/** When the results of a workflow's steps are committed. Chosen for each workflow type. */
public enum Durability {
    /** Each result is committed before the next step begins. The default. */
    STRICT,

    /**
     * Results may be committed while the next steps execute, at the latest 50 ms after they came. Faster, and a crash may
     * execute the last few steps again that had come to an end before it, perhaps with other results.
     *
     * <p>Only results of steps wait: signals, updates, timeouts, children and whatever else a workflow has seen or asked
     * for is committed before the next step begins, and all of it before the workflow sleeps, waits or ends.
     */
    BATCHED
}
