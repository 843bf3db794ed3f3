package dev.dormouse.store;

import java.time.Instant;

/** What became of one {@link Commit}. */
public sealed interface CommitOutcome {

    /**
     * Applied, now or by an identical commit before.
     *
     * @param mail the run's mail counter, so that a lost notification is noticed
     */
    record Committed(Instant at, long mail) implements CommitOutcome {}

    /** Refused: lease or next_seq are no longer the run's, or the epoch the store's. The sender has lost the run. */
    record Fenced() implements CommitOutcome {}

    /** Refused: the mail counter is not the one the fence names. */
    record NewMail(long mail) implements CommitOutcome {}

    /** Refused: the store's clock has not reached the fence's instant. */
    record TooEarly(Instant now) implements CommitOutcome {}

    /** Held up by a lock of somebody else. Send it again by itself, later. */
    record Locked() implements CommitOutcome {}

    /** The store refuses this one entry for what it holds; others are not affected. */
    record Rejected(StoreException reason) implements CommitOutcome {}

    /** Nobody knows whether it was or will be applied. Send the identical commit again. */
    record Unknown(StoreException cause) implements CommitOutcome {}
}
