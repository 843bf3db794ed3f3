package dev.dormouse.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A listener for events on a node: for metrics, traces and tests. Every method has a default that does nothing.
 *
 * <p>The engine calls it from several of its own threads at the same time. An implementation must be thread-safe, and
 * must return at once without blocking. Exceptions that it throws are logged and otherwise ignored. Every method is
 * called after the commit that makes the event true. Best effort: a crash may lose calls, and work that is repeated after
 * a crash is reported twice. All instants are of the store's clock, as closely as the node knows it.
 *
 * <pre>{@code
 * Dormouse.builder().monitor(new Monitor() {
 *   @Override public void runClosed(RunClosed run) {
 *     System.out.println(run.workflowId() + " " + run.status() + " after " + run.open());
 *   }
 * })
 * }</pre>
 */
public interface Monitor {

    /**
     * Is called when a run was started by this node, for any node to execute. Starts in a transaction of the user are not
     * reported.
     */
    default void runStarted(RunStarted event) {}

    /** Is called when this node has closed a run. */
    default void runClosed(RunClosed event) {}

    /** Is called when an attempt of a step has ended on this node. If its result counts, it is committed before. */
    default void stepEnded(StepEnded event) {}

    /** Is called when an alarm has passed and this node acts on it. */
    default void timerFired(TimerFired event) {}

    /** Is called when a run's history was replayed and its code has caught up. */
    default void replayed(Replayed event) {}

    /** Is called when a batch of starts, commits or deliveries was answered. */
    default void batchSent(BatchSent event) {}

    /** Is called when this node has taken over a run of a node that was gone. */
    default void takenOver(TakenOver event) {}

    /**
     * Is called when another node has taken over a run of this node, because this node did not renew its lease in time.
     */
    default void leaseLost(LeaseLost event) {}

    /** Is called when the store has reported its time. */
    default void clockSeen(ClockSeen event) {}

    /** Is called when the store cannot be used as it should, once for each outage and kind of trouble. */
    default void outageBegan(OutageBegan event) {}

    /** Is called when an outage of the store has ended. */
    default void outageEnded(OutageEnded event) {}

    /**
     * A run that was started.
     *
     * @param workflowId the workflow id
     * @param runId the id of the run
     * @param type the workflow type
     * @param at when it was started
     */
    record RunStarted(String workflowId, UUID runId, String type, Instant at) {}

    /**
     * A run that has ended.
     *
     * @param workflowId the workflow id
     * @param runId the id of the run
     * @param type the workflow type
     * @param status the status in which it ended
     * @param startedAt when the run was created; the delay of its start and its time in a queue count as open
     * @param closedAt when it ended
     */
    record RunClosed(
            String workflowId, UUID runId, String type, RunStatus status, Instant startedAt, Instant closedAt) {
        /** Returns the time from the creation of the run to its end. */
        public Duration open() {
            return Duration.between(startedAt, closedAt);
        }
    }

    /**
     * An attempt of a step that has ended.
     *
     * @param workflowId the workflow id
     * @param runId the id of the run
     * @param type the workflow type
     * @param step the name of the step
     * @param attempt counted from 1
     * @param began when the attempt began
     * @param ended when it ended
     * @param failure the type and message of the failure; null if the attempt did not fail
     */
    record StepEnded(
            String workflowId,
            UUID runId,
            String type,
            String step,
            int attempt,
            Instant began,
            Instant ended,
            @Nullable String failure) {
        /** Returns the duration of the attempt. */
        public Duration took() {
            return Duration.between(began, ended);
        }
    }

    /**
     * An alarm that has passed.
     *
     * @param workflowId the workflow id
     * @param runId the id of the run
     * @param type the workflow type
     * @param reason the reason of the alarm
     * @param due the instant that was set
     * @param late the delay after {@code due} by the store's clock
     */
    record TimerFired(String workflowId, UUID runId, String type, WakeReason reason, Instant due, Duration late) {}

    /**
     * A replay.
     *
     * @param workflowId the workflow id
     * @param runId the id of the run
     * @param type the workflow type
     * @param events the number of replayed events
     * @param took the duration of the replay
     */
    record Replayed(String workflowId, UUID runId, String type, int events, Duration took) {}

    /**
     * A batch that was sent to the store.
     *
     * @param kind such as {@code commit}
     * @param entries the number of entries in the batch
     * @param took the time until the store answered
     * @param waiting the number of entries that wait now
     */
    record BatchSent(String kind, int entries, Duration took, int waiting) {}

    /**
     * A run that was taken over.
     *
     * @param workflowId the workflow id
     * @param runId the id of the run
     * @param type the workflow type
     * @param previousOwner the id of the node that was gone; empty if the store does not report it
     * @param afterLease the time since the end of its lease
     * @param events the number of events when the run's row was changed last; its history may have more
     */
    record TakenOver(
            String workflowId, UUID runId, String type, String previousOwner, Duration afterLease, int events) {}

    /**
     * A run that this node has lost.
     *
     * @param workflowId the workflow id
     * @param runId the id of the run
     * @param type the workflow type
     */
    record LeaseLost(String workflowId, UUID runId, String type) {}

    /**
     * A comparison of clocks.
     *
     * @param skew the lead of this node's wall clock over the store's; negative if it is behind
     * @param width the precision to which the store's clock is known, and so the uncertainty of {@code skew}
     */
    record ClockSeen(Duration skew, Duration width) {}

    /**
     * An outage that has begun.
     *
     * @param trouble the kind of trouble
     * @param reason the error of the store; may contain names of hosts and files
     */
    record OutageBegan(StoreTrouble trouble, String reason) {}

    /**
     * An outage that has ended.
     *
     * @param trouble the kind of trouble
     * @param lasted how long it lasted
     */
    record OutageEnded(StoreTrouble trouble, Duration lasted) {}
}
