package dev.dormouse.store.run;

import java.util.UUID;

/**
 * A commit that only adds events to a run which keeps executing. It neither reads nor changes the run's row: the
 * position of its first event is its fence, because a position of a history can be taken once.
 *
 * <p>Its sender holds the lease of the run, which is RUNNING, and has read or written all events before {@code seq}. A
 * node that takes the run over first commits an event under the row's lock. So later appends of the previous owner are
 * refused, see {@link dev.dormouse.store.Store#append}.
 *
 * @param seq the number of the first event, which is the end of the history as the sender knows it
 * @param epoch the store's {@link Swept#epoch} when the run was read; {@link Fence#ANY_EPOCH} if it does not matter
 * @param append the events, at least one
 */
public record HistoryAppend(UUID runId, int seq, String epoch, Append append) {

    /** Returns the part of a commit that concerns the history. */
    public static HistoryAppend of(Commit commit) {
        return new HistoryAppend(
                commit.runId(), commit.fence().nextSeq(), commit.fence().epoch(), commit.append());
    }

    /** Returns true if {@code current} is the epoch in which the run was read, or any epoch is accepted. */
    public boolean fitsEpoch(String current) {
        return epoch.equals(Fence.ANY_EPOCH) || epoch.equals(current);
    }
}
