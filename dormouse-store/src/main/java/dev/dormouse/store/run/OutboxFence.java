package dev.dormouse.store.run;

import dev.dormouse.store.base.Micros;
import java.time.Instant;

/**
 * The condition under which a start or delivery that was read from an outbox is applied. If it does not hold, the store
 * refuses the entry. The caller then reads the outbox again, which shows whether the item still exists.
 *
 * @param epoch the store's {@link Swept#epoch} when the item was read; {@link Fence#ANY_EPOCH} if it does not matter.
 *     After a failover the store may have lost the item
 * @param notAfter the last instant, by the store's clock, at which the entry may be applied; {@link Micros#MAX} if it
 *     does not matter. Another node may have carried out the item meanwhile, which is visible only as long as the
 *     target run is kept
 */
public record OutboxFence(String epoch, Instant notAfter) {
    /** A fence that always holds, for entries that do not come from an outbox. */
    public static final OutboxFence NONE = new OutboxFence(Fence.ANY_EPOCH, Micros.MAX);

    /** Returns true if the fence holds in a store with this epoch at this instant. */
    public boolean holds(String currentEpoch, Instant now) {
        return (epoch.equals(Fence.ANY_EPOCH) || epoch.equals(currentEpoch)) && !now.isAfter(notAfter);
    }
}
