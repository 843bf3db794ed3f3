package dev.dormouse.store;

import java.time.Instant;

/**
 * Conditions under which a start or delivery that was read from an outbox is applied. Otherwise it is refused: the item is
 * read again, and is there or not.
 *
 * @param epoch the store's {@link Swept#epoch} when the item was read. After a failover the item may be one that the store
 *     has lost. {@link Fence#ANY_EPOCH} where it does not matter
 * @param notAfter the last instant, by the store's clock, at which it may be applied. Another node may have carried out the
 *     item meanwhile, which can be seen only as long as the run that it was for is kept. {@link Micros#MAX} where it does
 *     not matter
 */
public record OutboxFence(String epoch, Instant notAfter) {
    /** A fence that always holds: for what does not come from an outbox. */
    public static final OutboxFence NONE = new OutboxFence(Fence.ANY_EPOCH, Micros.MAX);

    /** Returns whether the fence holds in a store of this epoch at this instant. */
    public boolean holds(String currentEpoch, Instant now) {
        return (epoch.equals(Fence.ANY_EPOCH) || epoch.equals(currentEpoch)) && !now.isAfter(notAfter);
    }
}
