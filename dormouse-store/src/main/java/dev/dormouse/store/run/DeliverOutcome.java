package dev.dormouse.store.run;

import dev.dormouse.store.base.StoreException;
import java.time.Instant;

/** The outcome of one {@link Delivery}. */
public sealed interface DeliverOutcome {

    /**
     * The item is in the inbox. If {@code run} has an owner, the caller must notify that node. Otherwise the run's alarm is
     * now if it was waiting, and unchanged if it is pending or stuck. A run that continues as new has neither owner nor
     * alarm: its successor reads the item.
     *
     * @param position the position of this item; items of one batch for one workflow id have consecutive positions, in
     *     batch order
     * @param run the row right after this item was added, so that {@code run.mail()} equals {@code position}; later
     *     items of the batch are not counted yet
     * @param epoch the epoch of the store that has accepted the item
     */
    record Accepted(Instant at, long position, RunRow run, String epoch) implements DeliverOutcome {}

    /** An item with this key was accepted before. */
    record Duplicate(long position) implements DeliverOutcome {}

    /** The workflow id has no run. */
    record NoRun() implements DeliverOutcome {}

    /** The workflow id's latest run is closed, and does not continue as new. */
    record RunClosed(RunRow run) implements DeliverOutcome {}

    /** The delivery was refused: its {@link OutboxFence} does not hold. Read the outbox item again. */
    record Fenced() implements DeliverOutcome {}

    /** The delivery was not applied because another transaction holds a lock. Send it again later, on its own. */
    record Locked() implements DeliverOutcome {}

    /** The store refuses this entry because of its content. Other entries of the batch are not affected. */
    record Rejected(StoreException reason) implements DeliverOutcome {}

    /** It is not known whether the delivery was applied. Send the identical delivery again. */
    record Unknown(StoreException cause) implements DeliverOutcome {}
}
