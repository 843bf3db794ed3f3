package dev.dormouse.internal.engine.loop;

import dev.dormouse.internal.engine.command.OutboxCommand;
import dev.dormouse.internal.engine.command.OutboxCommands;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.store.base.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves what runs send to other workflow ids: from the sender's outbox into the receiver's inbox, at least once, under
 * the item's own id as its key, so that a second time does no harm. Several nodes may do so at once.
 *
 * <p>The loop never waits for one item: it hands items over to the writers, and resumes an {@link OutboxCommand} when its
 * outcome is there. What is held up is given up after a while and tried again in a later walk through the outbox.
 */
public final class OutboxLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxLoop.class);

    /** How long an item may be underway before it makes room for others. */
    private static final Duration ERRAND_TIME = Duration.ofSeconds(2);

    private final NodeContext context;
    private final Gate gate;
    private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();
    private final List<OutboxScan> walks = new ArrayList<>();
    private volatile boolean closed;

    public OutboxLoop(NodeContext context, OutboxCommands commands) {
        this.context = context;
        this.gate = context.threads().newGate();
        for (int shard = 0; shard < context.store().shards(); shard++) {
            walks.add(new OutboxScan(context, shard, commands, this::later));
        }
    }

    /** There is something in the outbox. */
    public void wake() {
        walks.forEach(OutboxScan::want);
        gate.open();
    }

    /** Executes a step on this loop's thread; may be called by any thread. */
    private void later(Runnable step) {
        steps.add(step);
        gate.open();
    }

    public void close() {
        closed = true;
        gate.open();
    }

    @Override
    public void run() {
        while (!closed) {
            await();
            execute();
            for (OutboxScan walk : walks) {
                try {
                    walk.go();
                } catch (StoreException noAnswer) {
                    context.stalled(noAnswer); // the next sweep sees what is left
                } catch (RuntimeException | LinkageError | OutOfMemoryError problem) {
                    LOG.error("Moving the outbox failed; the next sweep tries again", problem);
                }
            }
        }
        execute(); // a run that was started is handed over
    }

    /** Waits until there is something to do, or an errand has been underway for too long. */
    private void await() {
        long left = walks.stream()
                .mapToLong(walk -> walk.nanosLeft(ERRAND_TIME))
                .min()
                .orElse(Long.MAX_VALUE);
        if (left == Long.MAX_VALUE) {
            gate.pass();
        } else {
            gate.pass(Duration.ofNanos(Math.max(1, left)));
        }
        walks.forEach(walk -> walk.giveUp(ERRAND_TIME));
    }

    private void execute() {
        for (Runnable step = steps.poll(); step != null; step = steps.poll()) {
            step.run();
        }
    }
}
