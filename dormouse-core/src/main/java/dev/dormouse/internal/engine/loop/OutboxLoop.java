package dev.dormouse.internal.engine.loop;

import dev.dormouse.internal.engine.command.OutboxCommand;
import dev.dormouse.internal.engine.command.OutboxCommands;
import dev.dormouse.internal.engine.context.NodeContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The loop that moves the items that runs send to other workflow ids, from the sender's outbox into the receiver's
 * inbox. Items are delivered at least once, with the item's id as key, so that a second delivery has no effect. Several
 * nodes may do this at the same time.
 *
 * <p>The loop never waits for one item: it passes items to the writers, and resumes an {@link OutboxCommand} when its
 * outcome arrives. A command that takes too long is given up and tried again in a later scan of the outbox.
 *
 * <p>Any thread may call {@link #request} and {@link #close}; everything else runs on the loop's thread. A request
 * during a scan causes one more scan, and the periodic sweep of the alarm loop replaces a request that was lost.
 */
public final class OutboxLoop extends StoreLoop {
    /** The time after which a command is given up, so that other items get its place. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

    private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();
    private final List<OutboxScan> scans = new ArrayList<>();

    public OutboxLoop(NodeContext context, OutboxCommands commands) {
        super(context);
        for (int shard = 0; shard < context.store().shards(); shard++) {
            scans.add(new OutboxScan(context, shard, commands, this::later));
        }
    }

    /** Requests a scan of the outbox of all shards. */
    public void request() {
        scans.forEach(OutboxScan::request);
        wake();
    }

    /** Executes a step on this loop's thread. May be called by any thread. */
    private void later(Runnable step) {
        steps.add(step);
        wake();
    }

    @Override
    public void run() {
        super.run();
        execute(); // so that a run that was started is handed over
    }

    @Override
    protected void turn() {
        awaitWork();
        execute();
        scans.forEach(scan -> attempt("Moving the outbox failed; the next sweep tries again", scan::advance));
    }

    /** Waits until there is work or a command has taken too long, and gives up such commands. */
    private void awaitWork() {
        long left = scans.stream()
                .mapToLong(scan -> scan.nanosLeft(COMMAND_TIMEOUT))
                .min()
                .orElse(Long.MAX_VALUE);
        if (left == Long.MAX_VALUE) {
            await();
        } else {
            await(Duration.ofNanos(Math.max(1, left)));
        }
        scans.forEach(scan -> scan.giveUp(COMMAND_TIMEOUT));
    }

    private void execute() {
        for (Runnable step = steps.poll(); step != null; step = steps.poll()) {
            step.run();
        }
    }
}
