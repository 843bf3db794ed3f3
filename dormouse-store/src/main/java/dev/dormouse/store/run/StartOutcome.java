package dev.dormouse.store.run;

import dev.dormouse.store.base.StoreException;
import java.time.Instant;

/** The outcome of one {@link Start}. */
public sealed interface StartOutcome {

    /** The run was inserted. */
    record Started(Instant at) implements StartOutcome {}

    /**
     * The workflow id already has this run. If it has the run id of the start, an earlier attempt of the same start was
     * applied.
     */
    record Exists(RunRow run) implements StartOutcome {}

    /** The start was refused: its {@link OutboxFence} does not hold. Read the outbox item again. */
    record Fenced() implements StartOutcome {}

    /** The start was not applied because another transaction holds a lock. Send it again later, on its own. */
    record Locked() implements StartOutcome {}

    /** The store refuses this entry because of its content. Other entries of the batch are not affected. */
    record Rejected(StoreException reason) implements StartOutcome {}

    /** It is not known whether the start was applied. Send the identical start again. */
    record Unknown(StoreException cause) implements StartOutcome {}
}
