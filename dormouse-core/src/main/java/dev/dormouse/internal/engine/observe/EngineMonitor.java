package dev.dormouse.internal.engine.observe;

import dev.dormouse.store.base.StoreTrouble;
import dev.dormouse.store.run.RunStatus;
import dev.dormouse.store.run.WakeReason;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Is told what happens on a node, as soon as the store has it. Called by the threads that do the work, from many at once:
 * an implementation is thread-safe, returns at once, and waits for nothing. What it throws is logged, and changes nothing.
 * A crash may swallow what was to be told, and what is done twice because of one is told twice.
 *
 * <p>All instants are the store's clock, as closely as the node knows it.
 */
public interface EngineMonitor {

    /** A run was started here, for whichever node. Starts in a user's transaction are not told. */
    default void runStarted(RunStarted event) {}

    /** A run was closed here. */
    default void runClosed(RunClosed event) {}

    /** An attempt of a step has ended here; for one whose result counts, after that was committed. */
    default void stepEnded(StepEnded event) {}

    /** An alarm that somebody has set has passed, and this node acts on it. */
    default void timerFired(TimerFired event) {}

    /** A run's history was replayed, and its code stands where it stood. */
    default void replayed(Replayed event) {}

    /** A batch of starts, commits or deliveries was answered. */
    default void batchSent(BatchSent event) {}

    /** A run was taken over from a node that was gone. */
    default void takenOver(TakenOver event) {}

    /** Another node has taken over a run that this node held, because this node did not renew its lease in time. */
    default void leaseLost(LeaseLost event) {}

    /** The store has told its time. */
    default void clockSeen(ClockSeen event) {}

    /** The store cannot be used as it should. Told once for each outage and kind of trouble. */
    default void outageBegan(OutageBegan event) {}

    /** An outage of the store is over. */
    default void outageEnded(OutageEnded event) {}

    record RunStarted(String workflowId, UUID runId, String type, Instant at) {}

    /** @param startedAt when the run was created: a delayed start, and the time in a queue, count as open */
    record RunClosed(
            String workflowId, UUID runId, String type, RunStatus status, Instant startedAt, Instant closedAt) {
        public Duration open() {
            return Duration.between(startedAt, closedAt);
        }
    }

    /**
     * @param attempt counted from 1
     * @param failure what it failed with, type and message; null where it did not
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
        public Duration took() {
            return Duration.between(began, ended);
        }
    }

    /**
     * @param due the instant that was set
     * @param late how long after that by the store's clock
     */
    record TimerFired(String workflowId, UUID runId, String type, WakeReason reason, Instant due, Duration late) {}

    record Replayed(String workflowId, UUID runId, String type, int events, Duration took) {}

    /**
     * @param kind such as {@code commit}
     * @param entries how many went together
     * @param waiting how many have piled up meanwhile
     */
    record BatchSent(String kind, int entries, Duration took, int waiting) {}

    /**
     * @param previousOwner id of the node that was gone; empty where the store does not tell
     * @param afterLease how long after the end of its lease
     * @param events how many events are replayed
     */
    record TakenOver(
            String workflowId, UUID runId, String type, String previousOwner, Duration afterLease, int events) {}

    record LeaseLost(String workflowId, UUID runId, String type) {}

    /**
     * @param skew how far this node's wall clock is ahead of the store's; negative where it is behind
     * @param width how closely the store's clock is known, so that the skew is that much uncertain
     */
    record ClockSeen(Duration skew, Duration width) {}

    /** @param reason the error of the store; may name hosts and files */
    record OutageBegan(StoreTrouble trouble, String reason) {}

    record OutageEnded(StoreTrouble trouble, Duration lasted) {}
}
