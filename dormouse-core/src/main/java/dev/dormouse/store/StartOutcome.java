package dev.dormouse.store;

import java.time.Instant;

/** What became of one {@link Start}. */
public sealed interface StartOutcome {

    /** The run was inserted. */
    record Started(Instant at) implements StartOutcome {}

    /**
     * The workflow id has this run already. When its run id is the one of the start, an earlier attempt of the same
     * start had gone through.
     */
    record Exists(RunRow run) implements StartOutcome {}

    /** Refused: the start's {@link OutboxFence} does not hold. Read the item again. */
    record Fenced() implements StartOutcome {}

    /** Held up by a lock of somebody else. Send it again by itself, later. */
    record Locked() implements StartOutcome {}

    /** The store refuses this one entry for what it holds; others are not affected. */
    record Rejected(StoreException reason) implements StartOutcome {}

    /** Nobody knows whether it was applied. Send the identical start again. */
    record Unknown(StoreException cause) implements StartOutcome {}
}
