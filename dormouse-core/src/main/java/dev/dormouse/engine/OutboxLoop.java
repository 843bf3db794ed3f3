package dev.dormouse.engine;

import dev.dormouse.error.DormouseException;
import dev.dormouse.store.DeliverOutcome;
import dev.dormouse.store.Delivery;
import dev.dormouse.store.Outgoing;
import dev.dormouse.store.Shards;
import dev.dormouse.store.StoreException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves what runs send to other workflow ids: from the sender's outbox into the receiver's inbox, at least once, under
 * the item's own id as its key, so that a second time does no harm. Several nodes may do so at once.
 */
final class OutboxLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxLoop.class);
    private static final int AT_ONCE = 100;

    private final Engine engine;
    private final Mailman mailman;
    private final Errands errands;
    private final Gate gate;
    private volatile boolean closed;

    OutboxLoop(Engine engine, Mailman mailman, Errands errands) {
        this.engine = engine;
        this.mailman = mailman;
        this.errands = errands;
        this.gate = engine.threads().newGate();
    }

    /** There is something in the outbox. */
    void wake() {
        gate.open();
    }

    void close() {
        closed = true;
        gate.open();
    }

    @Override
    public void run() {
        while (!closed) {
            gate.pass();
            for (int shard = 0; shard < engine.store().shards() && !closed; shard++) {
                try {
                    moveAll(shard);
                } catch (StoreException noAnswer) {
                    engine.stalled(noAnswer); // the next sweep sees what is left
                } catch (RuntimeException | LinkageError | OutOfMemoryError problem) {
                    LOG.error("Moving the outbox failed; the next sweep tries again", problem);
                }
            }
        }
    }

    private void moveAll(int shard) {
        List<Outgoing> items = engine.store().outbox(shard, AT_ONCE);
        while (!items.isEmpty() && !closed) {
            List<UUID> moved = new ArrayList<>();
            Set<String> heldUp = new HashSet<>(); // what comes after one that is held up waits for it
            for (Outgoing item : items) {
                if (!heldUp.contains(item.workflowId()) && move(item)) {
                    moved.add(item.id());
                } else {
                    heldUp.add(item.workflowId());
                }
            }
            engine.store().forwarded(shard, moved);
            items = moved.size() < items.size() ? List.of() : engine.store().outbox(shard, AT_ONCE);
        }
    }

    private boolean move(Outgoing sent) {
        try {
            Outgoing item = SqlRequest.translated(sent);
            return errands.isErrand(item) ? errands.run(item) : deliver(item);
        } catch (DormouseException unreadable) {
            if (unreadable instanceof StoreException) {
                throw unreadable;
            }
            LOG.error("Item {} for workflow id '{}' is dropped", sent.id(), sent.workflowId(), unreadable);
            return true;
        }
    }

    private boolean deliver(Outgoing item) {
        int target = Shards.of(item.workflowId(), engine.store().shards());
        Delivery delivery = new Delivery(item.workflowId(), item.id().toString(), item.kind(), item.payload());
        DeliverOutcome outcome = mailman.deliver(target, delivery);
        if (outcome instanceof DeliverOutcome.NoRun || outcome instanceof DeliverOutcome.RunClosed) {
            LOG.info(
                    "Nothing takes mail for workflow id '{}' any more; item {} is dropped",
                    item.workflowId(),
                    item.id());
        } else if (outcome instanceof DeliverOutcome.Rejected rejected) {
            LOG.error("Item {} for workflow id '{}' is dropped", item.id(), item.workflowId(), rejected.reason());
        }
        return !(outcome instanceof DeliverOutcome.Unknown || outcome instanceof DeliverOutcome.Locked);
    }
}
