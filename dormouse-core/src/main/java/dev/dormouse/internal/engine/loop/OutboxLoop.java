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
 * The loop that moves the items that runs send to other workflow ids, from the sender's outbox into the receiver's
 * inbox. Items are delivered at least once, with the item's id as key, so that a second delivery has no effect. Several
 * nodes may do this at the same time.
 *
 * <p>The loop never waits for one item: it passes items to the writers, and resumes an {@link OutboxCommand} when its
 * outcome arrives. A command that takes too long is given up and tried again in a later scan of the outbox.
 *
 * <p>Any thread may call {@link #wake} and {@link #close}; everything else runs on the loop's thread. A wake-up during
 * a scan causes one more scan, and the periodic sweep of the alarm loop replaces a wake-up that was lost.
 */
public final class OutboxLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxLoop.class);

    /** The time after which a command is given up, so that other items get its place. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

    private final NodeContext context;
    private final Gate gate;
    private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();
    private final List<OutboxScan> scans = new ArrayList<>();
    private volatile boolean closed;

    public OutboxLoop(NodeContext context, OutboxCommands commands) {
        this.context = context;
        this.gate = context.threads().newGate();
        for (int shard = 0; shard < context.store().shards(); shard++) {
            scans.add(new OutboxScan(context, shard, commands, this::later));
        }
    }

    /** Requests a scan of the outbox of all shards. */
    public void wake() {
        scans.forEach(OutboxScan::request);
        gate.open();
    }

    /** Executes a step on this loop's thread. May be called by any thread. */
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
            for (OutboxScan scan : scans) {
                try {
                    scan.advance();
                } catch (StoreException noAnswer) {
                    context.stalled(noAnswer); // the next sweep sees the remaining items
                } catch (RuntimeException | LinkageError | OutOfMemoryError problem) {
                    LOG.error("Moving the outbox failed; the next sweep tries again", problem);
                }
            }
        }
        execute(); // so that a run that was started is handed over
    }

    /** Waits until there is work or a command has taken too long, and gives up such commands. */
    private void await() {
        long left = scans.stream()
                .mapToLong(scan -> scan.nanosLeft(COMMAND_TIMEOUT))
                .min()
                .orElse(Long.MAX_VALUE);
        if (left == Long.MAX_VALUE) {
            gate.pass();
        } else {
            gate.pass(Duration.ofNanos(Math.max(1, left)));
        }
        scans.forEach(scan -> scan.giveUp(COMMAND_TIMEOUT));
    }

    private void execute() {
        for (Runnable step = steps.poll(); step != null; step = steps.poll()) {
            step.run();
        }
    }
}
