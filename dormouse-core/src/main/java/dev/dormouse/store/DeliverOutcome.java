package dev.dormouse.store;

import java.time.Instant;

/** What became of one {@link Delivery}. */
public sealed interface DeliverOutcome {

    /**
     * In the inbox. When {@code run} has an owner, that node must be told; otherwise its alarm is now set to now, or to
     * whatever it waits for before it may begin. A run that continues as new has neither: its successor will read it.
     *
     * @param position the item's own; items of one batch for one workflow id have consecutive ones, in their order
     * @param run the row after this very item, so that {@code run.mail()} is {@code position}: items that stand behind
     *     it in the batch are not counted yet
     */
    record Accepted(Instant at, long position, RunRow run) implements DeliverOutcome {}

    /** An item with this key had been accepted before. */
    record Duplicate(long position) implements DeliverOutcome {}

    /** No run has this workflow id. */
    record NoRun() implements DeliverOutcome {}

    /** The workflow id's run is closed, and not in order to continue as new. */
    record RunClosed(RunRow run) implements DeliverOutcome {}

    /** Refused: the delivery's {@link OutboxFence} does not hold. Read the item again. */
    record Fenced() implements DeliverOutcome {}

    /** Held up by a lock of somebody else. Send it again by itself, later. */
    record Locked() implements DeliverOutcome {}

    /** The store refuses this one entry for what it holds; others are not affected. */
    record Rejected(StoreException reason) implements DeliverOutcome {}

    /** Nobody knows whether it was applied. Send the identical delivery again. */
    record Unknown(StoreException cause) implements DeliverOutcome {}
}
