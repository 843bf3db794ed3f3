package dev.dormouse;

/**
 * The time at which the results of a workflow's steps are committed. Set per workflow type. Default: {@link #STRICT}.
 */
public enum Durability {
    /** Commits each result before the next step begins. The default. */
    STRICT,

    /**
     * Commits results while the next steps execute, at the latest 50 ms after they were returned. This is faster, but
     * after a crash the last few completed steps may execute again, possibly with different results.
     *
     * <p>Only step results are delayed. Signals, updates, timeouts, children and everything else that a workflow has
     * observed or requested is committed before the next step begins. All of it is committed before the workflow
     * sleeps, waits or ends.
     */
    BATCHED
}
