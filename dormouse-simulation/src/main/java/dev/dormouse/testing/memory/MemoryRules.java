package dev.dormouse.testing.memory;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Claim;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.OutboxFence;
import dev.dormouse.store.run.Renewal;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of a {@link MemoryStore} on which the guarantees rest, one small method each. A test can override one
 * of them to plant a bug that a real store could have.
 */
public abstract class MemoryRules {

    /** Returns true if the sender of a commit still holds the run as it knew it. */
    protected boolean fenceHolds(RunRow row, Fence fence) {
        return row.lease() == fence.lease() && row.nextSeq() <= fence.nextSeq() && fence.fitsAlarm(row.wakeAt());
    }

    /** Returns true if a position of a history can be written, given the row that has it. */
    protected boolean isFree(@Nullable HistoryRow there) {
        return there == null;
    }

    /** Returns true if the sender read the run in the current epoch, or does not care. */
    protected boolean fitsEpoch(String epoch, String current) {
        return epoch.equals(Fence.ANY_EPOCH) || epoch.equals(current);
    }

    /**
     * Returns true if the store is still the one that an outbox item was read from, and the item was read recently.
     */
    protected boolean fenceHolds(OutboxFence fence, String epoch, Instant now) {
        return fence.holds(epoch, now);
    }

    /** Returns true if no message arrived that the sender of a commit has not seen. */
    protected boolean mailHolds(RunRow row, Fence fence) {
        return fence.mail() == Fence.ANY_MAIL || row.mail() == fence.mail();
    }

    /** Returns true if the clock has reached an alarm, or the instant before which a commit must not be made. */
    protected boolean isReached(Instant instant, Instant now) {
        return !instant.isAfter(now);
    }

    protected boolean isRenewable(RunRow row, Renewal renewal) {
        return row.status() == RunStatus.RUNNING && row.lease() == renewal.lease();
    }

    protected @Nullable Instant alarmAfterDelivery(RunRow row, Instant now, Duration leasePeriod) {
        if (row.status() == RunStatus.WAITING) {
            return earliest(row.wakeAt(), now);
        }
        return row.status() == RunStatus.PARKED
                ? earliest(row.wakeAt(), RowEdit.after(now, leasePeriod))
                : row.wakeAt();
    }

    /** Returns true if code of a run may have begun under its expired lease. */
    protected boolean mayHaveBegun(RunRow row) {
        return row.wakeReason() != WakeReason.CLAIMED;
    }

    /** Returns true if code of a run had begun shortly before its lease expired, and after a node had died with it. */
    protected boolean isOnProbation(RunRow row) {
        return row.wakeReason() == WakeReason.PROBATION;
    }

    /** Counts an expired lease; see {@link Claim}. */
    void countTakeover(RunRow before, RowEdit row) {
        if (before.lease() != RunRow.NO_LEASE) {
            row.takeovers += mayHaveBegun(before) ? 1 : 0;
            row.strikes += isOnProbation(before) ? 1 : 0;
        }
    }

    /** Writes a run's new row in the commit's transaction. */
    protected void write(RunRow before, RunRow after, Consumer<RunRow> table) {
        table.accept(after);
    }

    /** Returns the inbox keys that are forgotten when a commit consumes messages: none. */
    protected List<String> keysForgotten(RunRow after, List<InboxMessage> consumed) {
        return List.of();
    }

    /** Returns true if this very commit was applied before, for a run that its fence does not match any more. */
    static boolean wasApplied(RunRow row, @Nullable HistoryRow appended, Commit commit) {
        long lease = commit.next().lease();
        if (commit.append().count() > 0) {
            return appended != null
                    && wasApplied(appended, commit.append())
                    && (row.lease() == lease || lease == RunRow.NO_LEASE);
        }
        return row.nextSeq() == commit.fence().nextSeq()
                && row.lease() == lease
                && lease != commit.fence().lease()
                && row.status().isClosed() == commit.next().status().isClosed();
    }

    /** Returns true if the row at a position has exactly these events. */
    static boolean wasApplied(HistoryRow there, Append append) {
        return there.checksum() == append.checksum() && Arrays.equals(there.payload(), append.payload());
    }

    static boolean mayReplace(Start start, RunRow old) {
        return old.status().isClosed() && start.replaces().contains(old.status());
    }

    /**
     * Returns the consumed position of a run that replaces this one. Only a run that continued as new passes on its
     * unread messages.
     */
    static long consumedForSuccessor(RunRow old) {
        return old.status() == RunStatus.CONTINUED ? old.consumed() : old.mail();
    }

    static boolean mayClaim(RunRow row, Claim claim, Instant now) {
        Instant alarm = Objects.requireNonNull(row.wakeAt());
        boolean isPatientEnough = Micros.of(alarm) <= Micros.of(now) - Micros.of(claim.patience());
        boolean isFree = row.lease() == RunRow.NO_LEASE || !alarm.isAfter(claim.takeOverBefore());
        return isFree && (!isRefusedBy(row, claim.build()) || isPatientEnough);
    }

    /** Returns true if an opening node wakes a stuck run. A run that kills its nodes is not woken. */
    static boolean mayWake(RunRow stuck, String build) {
        boolean isDeadly = stuck.takeovers() > 0 && (stuck.refused().isEmpty() || stuck.strikes() > 0);
        return stuck.wakeAt() != null && !isRefusedBy(stuck, build) && !isDeadly;
    }

    static boolean isRefusedBy(RunRow row, String build) {
        return !row.refused().isEmpty() && List.of(row.refused().split(" ")).contains(build);
    }

    private static Instant earliest(@Nullable Instant one, Instant other) {
        return one != null && one.isBefore(other) ? one : other;
    }
}
