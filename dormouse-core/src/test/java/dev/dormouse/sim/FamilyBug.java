package dev.dormouse.sim;

import dev.dormouse.store.run.OutboxFence;
import dev.dormouse.store.run.OutboxPage;
import dev.dormouse.testing.memory.MemoryStore;
import dev.dormouse.testing.sim.SimWorld;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Defects of the operations for parents and children, each of which a {@link FamilyWorld} must detect. */
enum FamilyBug {
    /** Items that were read before a failover are carried out after it. */
    NO_OUTBOX_FENCE {
        @Override
        MemoryStore plant(SimWorld world) {
            return new MemoryStore(world.storeClock(), 1) {
                @Override
                protected boolean fenceHolds(OutboxFence fence, String epoch, Instant now) {
                    return true;
                }
            };
        }
    },
    /** A request to terminate does not see that a successor is about to start. */
    SUCCESSOR_NOT_SEEN {
        @Override
        MemoryStore plant(SimWorld world) {
            return new MemoryStore(world.storeClock(), 1) {
                @Override
                public synchronized OutboxPage outgoing(int shard, UUID id) {
                    OutboxPage page = super.outgoing(shard, id);
                    return new OutboxPage(page.epoch(), page.now(), List.of(), null);
                }
            };
        }
    };

    abstract MemoryStore plant(SimWorld world);
}
