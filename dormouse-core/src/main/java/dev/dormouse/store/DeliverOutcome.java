package dev.dormouse.store;

import java.time.Instant;

/** What became of one {@link Delivery}. */
public sealed interface DeliverOutcome {

    /**
     * In the inbox. When {@code run} has an owner, that node must be told; otherwise its alarm is now set to now, or to
     * whatever it waits for before it may begin.
     *
     * @param run the row after the delivery
     */
    record Accepted(Instant at, long position, RunRow run) implements DeliverOutcome {}

    /** An item with this key had been accepted before. */
    record Duplicate(long position) implements DeliverOutcome {}

    /** No run has this workflow id. */
    record NoRun() implements DeliverOutcome {}

    /** The workflow id's run is closed. */
    record RunClosed(RunRow run) implements DeliverOutcome {}

    /** Held up by a lock of somebody else. Send it again by itself, later. */
    record Locked() implements DeliverOutcome {}

    /** The store refuses this one entry for what it holds; others are not affected. */
    record Rejected(StoreException reason) implements DeliverOutcome {}

    /** Nobody knows whether it was applied. Send the identical delivery again. */
    record Unknown(StoreException cause) implements DeliverOutcome {}
}
