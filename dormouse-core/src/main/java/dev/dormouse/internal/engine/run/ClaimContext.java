package dev.dormouse.internal.engine.run;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.run.Claimed;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The way in which this node obtained a run: by starting it, or by claiming it from the store.
 *
 * @param takenOver true if its previous node died or did not renew its lease in time
 * @param startDue true if it was claimed because its start, which may have been delayed, was due
 * @param wasStuck true if it was stuck and is retried
 * @param renewFirst true if its lease may expire earlier than this node assumes, so that it is renewed before the first
 *     step
 * @param handedOver true if its previous node released it, possibly in the middle of a step
 * @param from the previous node; empty if there was none
 * @param alarm the alarm by which it was claimed; null for a start
 */
record ClaimContext(
        boolean takenOver,
        boolean startDue,
        boolean wasStuck,
        boolean renewFirst,
        boolean handedOver,
        String from,
        @Nullable Instant alarm) {

    /** Returns the context of a run that was started on this node. */
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
