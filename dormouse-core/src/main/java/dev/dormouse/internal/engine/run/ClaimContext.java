package dev.dormouse.internal.engine.run;

import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.RunStatus;
import dev.dormouse.store.run.WakeReason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a run has come into a node's memory.
 *
 * @param takenOver the node that had it is dead, or took too long
 * @param startDue its first execution was due
 * @param wasStuck it was stuck, and is tried again
 * @param renewFirst its lease may be older than it looks
 * @param handedOver the node that had it has given it up, perhaps in the middle of a step
 * @param from the node that had it, empty where none did
 * @param alarm the one by which it has come; null for a start
 */
record ClaimContext(
        boolean takenOver,
        boolean startDue,
        boolean wasStuck,
        boolean renewFirst,
        boolean handedOver,
        String from,
        @Nullable Instant alarm) {

    /** By a start, here. */
    static ClaimContext started(boolean isFresh) {
        return new ClaimContext(false, false, false, !isFresh, false, "", null);
    }

    static ClaimContext claimed(Claimed.Run run) {
        WakeReason reason = run.reason();
        boolean wasLeased = run.before() == RunStatus.RUNNING || run.before() == RunStatus.PARKED;
        boolean leaseWasTaken = reason.isLeaseEnd();
        boolean isStart = reason == WakeReason.START || reason == WakeReason.RATE;
        return new ClaimContext(
                wasLeased || leaseWasTaken,
                run.before() == RunStatus.PENDING && isStart,
                run.before() == RunStatus.STUCK,
                false,
                reason == WakeReason.HANDOVER,
                run.from(),
                run.alarm());
    }
}
