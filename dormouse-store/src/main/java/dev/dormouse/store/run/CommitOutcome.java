package dev.dormouse.store.run;

import dev.dormouse.store.base.StoreException;
import java.time.Instant;

/** The outcome of one {@link Commit}. */
public sealed interface CommitOutcome {

    /**
     * The commit was applied, now or by an identical commit before.
     *
     * @param mail the run's mail counter, so that the sender notices mail whose notification was lost; {@link
     *     #MAIL_NOT_READ} for an append
     */
    record Committed(Instant at, long mail) implements CommitOutcome {}

    /** The value of {@link Committed#mail} if the run's row was not read. */
    long MAIL_NOT_READ = -1;

    /**
     * The commit was refused: its lease or {@code nextSeq} is no longer that of the run, its epoch is not that of the
     * store, or its alarm is not that of the run. The sender must read the run again; after a failover it may still
     * hold the run.
     */
    record Fenced() implements CommitOutcome {}

    /** The commit was refused: the run's mail counter differs from the one in the fence. */
    record NewMail(long mail) implements CommitOutcome {}

    /** The commit was refused: the store's clock has not reached the fence's instant. */
    record TooEarly(Instant now) implements CommitOutcome {}

    /** The commit was not applied because another transaction holds a lock. Send it again later, on its own. */
    record Locked() implements CommitOutcome {}

    /** The store refuses this entry because of its content. Other entries of the batch are not affected. */
    record Rejected(StoreException reason) implements CommitOutcome {}

    /** It is not known whether the commit was or will be applied. Send the identical commit again. */
    record Unknown(StoreException cause) implements CommitOutcome {}
}
