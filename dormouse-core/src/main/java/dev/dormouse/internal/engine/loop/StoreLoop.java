package dev.dormouse.internal.engine.loop;

import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.internal.thread.Loop;
import dev.dormouse.store.base.StoreException;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A loop whose work calls the store, and that survives failures of this work. See {@link Loop} for concurrency. */
abstract class StoreLoop extends Loop {
    final NodeContext context;
    private final Logger log = LoggerFactory.getLogger(getClass());

    StoreLoop(NodeContext context) {
        this(context, context.threads().newGate());
    }

    /** @param gate the gate at which the loop waits, if other objects open it too */
    StoreLoop(NodeContext context, Gate gate) {
        super(context.threads(), gate);
        this.context = context;
    }

    /**
     * Does work that may fail. A failed call of the store is reported to the context, any other problem to the log.
     * Returns true if the work did not fail.
     *
     * @param failure the log line for a problem
     */
    final boolean attempt(String failure, Runnable work) {
        try {
            work.run();
            return true;
        } catch (StoreException noAnswer) {
            context.stalled(noAnswer);
        } catch (RuntimeException | LinkageError | OutOfMemoryError problem) {
            log.error(failure, problem);
        }
        return false;
    }

    /** Attempts work for each shard, until the loop is closed. A failure in one shard does not affect the others. */
    final void attemptAllShards(String failure, IntConsumer work) {
        for (int i = 0; i < context.store().shards() && !isClosed(); i++) {
            int shard = i;
            attempt(failure, () -> work.accept(shard));
        }
    }
}
