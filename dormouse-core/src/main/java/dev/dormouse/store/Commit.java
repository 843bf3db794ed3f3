package dev.dormouse.store;

import java.util.List;
import java.util.UUID;

/**
 * One step forward of one run: state, alarm and history change together or not at all.
 *
 * <p>Sending the identical commit again is harmless. One that appends events counts as applied when the history holds
 * its row (same first number, same checksum) and the run is still under the lease that the commit leaves it with, or the
 * commit gave the lease up. One that appends nothing counts as applied when the run is at the fence's {@code nextSeq}
 * under the new lease that the commit names. Everything else is fenced.
 *
 * @param consumed position of the last mail item that this commit's events consume, or what was consumed before
 * @param outbox what leaves the run for other workflow ids, stored in the same transaction
 */
public record Commit(UUID runId, Fence fence, Append append, long consumed, NextState next, List<Outgoing> outbox) {

    /** The same, if no mail has come in after this position. */
    public Commit withMail(long position) {
        return new Commit(runId, fence.withMail(position), append, consumed, next, outbox);
    }

    /** The same, whatever mail has come in. */
    public Commit withAnyMail() {
        return new Commit(runId, fence.withAnyMail(), append, consumed, next, outbox);
    }
}
