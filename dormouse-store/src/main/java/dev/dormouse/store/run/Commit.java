package dev.dormouse.store.run;

import java.util.List;
import java.util.UUID;

/**
 * A fenced change of one run: its state, alarm, history and outbox change together or not at all.
 *
 * <p>Sending the identical commit again has no further effect. The store recognizes a repeated commit by the rules below.
 * If none applies, the fence decides, see {@link CommitOutcome}.
 *
 * <ul>
 *   <li>A commit that appends events counts as applied if the history contains its row (same first number, same
 *       checksum). In addition, the run must still be under the lease that the commit leaves it with, unless the commit
 *       released it.
 *   <li>A commit that appends nothing counts as applied if the run is at the fence's {@code nextSeq} under the new
 *       lease that the commit names.
 * </ul>
 *
 * <p>These rules hold within one epoch. If the fence names another epoch than that of the store, the store refuses the
 * commit, even if it had applied it. The node then reads the run again.
 *
 * @param consumed the position of the last mail item that this commit's events consume, or the previous value if they
 *     consume none
 * @param outbox items that leave the run for other workflow ids, stored in the same transaction
 * @param isFromOwner true if the sender executes the run under its lease, and none of its appends is on its way. Then
 *     no append can take the position of the events, and a store may keep them in the run's row. False for a commit that
 *     records a takeover, and for a commit from outside: they must conflict with appends
 */
public record Commit(
        UUID runId,
        Fence fence,
        Append append,
        long consumed,
        NextState next,
        List<Outgoing> outbox,
        boolean isFromOwner) {

    /** Creates a commit whose sender does not execute the run. */
    public Commit(UUID runId, Fence fence, Append append, long consumed, NextState next, List<Outgoing> outbox) {
        this(runId, fence, append, consumed, next, outbox, false);
    }

    /** Returns this commit as one of the node that executes the run. */
    public Commit fromOwner() {
        return new Commit(runId, fence, append, consumed, next, outbox, true);
    }

    /** Returns this commit with a fence that refuses it if mail has arrived after {@code position}. */
    public Commit withMail(long position) {
        return new Commit(runId, fence.withMail(position), append, consumed, next, outbox, isFromOwner);
    }

    /** Returns this commit with a fence that ignores new mail. */
    public Commit withAnyMail() {
        return new Commit(runId, fence.withAnyMail(), append, consumed, next, outbox, isFromOwner);
    }
}
