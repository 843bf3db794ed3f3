package dev.dormouse;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Information about the run that the calling workflow code belongs to. {@link Workflow#info} returns it. Immutable:
 * later calls of {@code Workflow.info()} return newer numbers. Everything except {@link #isReplaying} is the same when
 * the code is replayed, so that the code may decide by it.
 */
public interface WorkflowInfo {

    /** Returns the workflow id. */
    String workflowId();

    /**
     * Returns the id of the run. After a reset or retry it is the id of the first run with this history, so that the
     * code behaves as before.
     */
    UUID runId();

    /** Returns the name of the workflow type. */
    String type();

    /** Returns the time at which the run was started. */
    Instant startedAt();

    /** Returns the end of the run's execution timeout; empty if it has none. */
    Optional<Instant> deadline();

    /** Returns the memo that the run was started with ({@link StartOptions#withMemo}). */
    Map<String, String> memo();

    /** Returns the run that started this one with {@link Workflow#child}; empty if it is not a child. */
    Optional<Parent> parent();

    /** Returns the schedule that started the run; empty if none did. */
    Optional<Scheduled> schedule();

    /** Returns the run that continued as this one ({@link Workflow#continueAsNew}); empty if this is the first run. */
    Optional<UUID> continuedFrom();

    /**
     * Returns the number of calls that the code has made and of inputs that it has received so far: a good estimate of
     * the number of events in its history.
     */
    int historyLength();

    /**
     * Returns true if {@link #historyLength} has reached 10,000: the workflow should call
     * {@link Workflow#continueAsNew} soon. A run whose history reaches {@link DormouseBuilder#historyLimit} is stuck.
     */
    boolean isContinueAsNewSuggested();

    /** Returns true if the code repeats what it did before. For logs only: the code must not decide by it. */
    boolean isReplaying();

    /**
     * A parent.
     *
     * @param workflowId the workflow id of the parent
     * @param runId the run of the parent that started this one
     */
    record Parent(String workflowId, UUID runId) {}

    /**
     * A start by a schedule.
     *
     * @param id the id of the schedule
     * @param scheduledFor the instant of its timetable that the run was started for
     */
    record Scheduled(String id, Instant scheduledFor) {}
}
