package dev.dormouse.dag.model;

/** The status of a step in a run. */
public enum StepStatus {
    /** Its predecessors are not all done. */
    PENDING,
    /** Its activity, items or sub-workflow are executed, wait for a retry, or wait in a queue. */
    RUNNING,
    /** It sleeps, without holding a thread. */
    SLEEPING,
    /** It waits for an event or an approval. */
    WAITING,
    /** It has an output. A map has completed when the calls for all items have. */
    COMPLETED,
    /** Its last attempt failed, or its timeout expired, and no onFailure step has replaced it. */
    FAILED,
    /** It failed, and its onFailure step replaced it. */
    HANDLED,
    /** Its approval was rejected or timed out. */
    NOT_APPROVED,
    /** Its condition left it out, or a predecessor failed, was not approved or was cancelled. */
    SKIPPED,
    /** It was in progress when the run was cancelled or timed out. */
    CANCELLED,
    /** It completed and was then undone by its compensate step. */
    COMPENSATED;

    /** Returns true if the status is final. */
    public boolean isOver() {
        return this != PENDING && this != RUNNING && this != SLEEPING && this != WAITING;
    }
}
