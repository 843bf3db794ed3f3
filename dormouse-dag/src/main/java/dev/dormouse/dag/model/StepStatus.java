package dev.dormouse.dag.model;

/** Where a step of a run stands. */
public enum StepStatus {
    /** What it comes after is not done. */
    PENDING,
    /** Its activity, its items or its sub-workflow are in work, wait for a retry, or wait for their turn in a queue. */
    RUNNING,
    SLEEPING,
    /** For an event or an approval. */
    WAITING,
    COMPLETED,
    FAILED,
    /** It has failed, and its onFailure step has taken its place. */
    HANDLED,
    /** An approval that was rejected, or for which the time was up. */
    NOT_APPROVED,
    /** Left out by its condition, or because something that it comes after did not come to a good end. */
    SKIPPED,
    /** It was under way when the run was cancelled or its time was up. */
    CANCELED,
    /** Done, and undone by its compensate step. */
    COMPENSATED;

    /** Whether nothing more happens to it. */
    public boolean isOver() {
        return this != PENDING && this != RUNNING && this != SLEEPING && this != WAITING;
    }
}
