package dev.dormouse.internal.engine.loop;

import dev.dormouse.internal.engine.command.OutboxCommand;
import dev.dormouse.internal.engine.command.OutboxCommands;
import dev.dormouse.internal.engine.command.OutboxFences;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.OutboxFence;
import dev.dormouse.store.run.OutboxPage;
import dev.dormouse.store.run.Outgoing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * A scan of the outbox of one shard, page by page, that begins an {@link OutboxCommand} for each item.
 *
 * <ul>
 *     <li>Items for one workflow id are executed in order: one at a time, and none after one that is delayed.
 *     <li>Items for different workflow ids do not wait for each other, however many are delayed.
 *     <li>A scan that meets another epoch starts again, because deliveries of the previous epoch may be lost.
 * </ul>
 *
 * <p>Confined to the outbox loop's thread, except {@link #request}. A request during a scan causes one more scan.
 */
final class OutboxScan {
    private static final int AT_ONCE = 100;
    private static final int MOST_UNDERWAY = 1_000;
    private static final long MOST_BYTES = 16L << 20;

    private final NodeContext context;
    private final int shard;
    private final OutboxCommands commands;
    private final Consumer<Runnable> loop;
    private final Map<String, OutboxCommand> underway = new LinkedHashMap<>();

    /** The items that were carried out but not removed yet, with the epoch in which they were carried out. */
    private final Map<UUID, String> moved = new HashMap<>();

    /** The workflow ids of which this scan begins no further item, because it has passed one over or one is delayed. */
    private final Set<String> passedOver = new HashSet<>();

    /** The workflow ids with an item behind the one in progress. When that is done, another scan begins the next. */
    private final Set<String> behind = new HashSet<>();

    private boolean scanning;
    private Optional<String> page = Optional.empty();
    private String epoch = Fence.ANY_EPOCH;
    private long bytes;
    private volatile boolean requested;

    OutboxScan(NodeContext context, int shard, OutboxCommands commands, Consumer<Runnable> loop) {
        this.context = context;
        this.shard = shard;
        this.commands = commands;
        this.loop = loop;
    }

    /** Requests a scan, which begins after the one that may be in progress. */
    void request() {
        requested = true;
    }

    /** Removes the items that were moved, and scans as far as there is room for commands. */
    void advance() {
        remove();
        if (!scanning && requested) {
            scanning = true;
            requested = false;
            passedOver.clear();
            page = Optional.empty();
        }
        while (scanning && underway.size() < MOST_UNDERWAY && bytes < MOST_BYTES) {
            OutboxPage read;
            try {
                read = context.store().outbox(shard, page, AT_ONCE);
            } catch (RuntimeException noAnswer) {
                scanning = false;
                throw noAnswer;
            }
            if (isOfAnotherStore(read)) {
                page = Optional.empty();
                continue;
            }
            OutboxFence fence = OutboxFences.of(read, context.settings());
            read.items().forEach(item -> take(item, fence));
            page = Optional.ofNullable(read.next());
            scanning = page.isPresent();
        }
    }

    /** Returns true if the previous pages were read before a failover. Remembers the epoch of this page. */
    private boolean isOfAnotherStore(OutboxPage read) {
        boolean isOther = page.isPresent() && !read.epoch().equals(epoch);
        epoch = read.epoch();
        return isOther;
    }

    private void take(Outgoing item, OutboxFence fence) {
        String workflowId = item.workflowId();
        OutboxCommand before = underway.get(workflowId);
        if (before != null && !before.item().id().equals(item.id())) {
            passedOver.add(workflowId);
            behind.add(workflowId);
        } else if (commands.mustWait(workflowId)) {
            passedOver.add(workflowId);
        } else if (before == null && !passedOver.contains(workflowId) && !wasMoved(item, fence)) {
            OutboxCommand command = new OutboxCommand(item, shard, fence, context.threads(), loop, this::ended);
            underway.put(workflowId, command);
            bytes += item.payload().length;
            command.step(() -> commands.begin(command));
        }
    }

    private boolean wasMoved(Outgoing item, OutboxFence fence) {
        return fence.epoch().equals(moved.get(item.id()));
    }

    private void ended(OutboxCommand command) {
        String workflowId = command.workflowId();
        underway.remove(workflowId);
        bytes -= command.item().payload().length;
        String readIn = command.fence().epoch();
        if (command.state() == OutboxCommand.State.DONE && !readIn.equals(epoch)) {
            passedOver.add(workflowId); // the items behind it were read after a failover, which may have lost it
            requested = true;
        } else if (command.state() == OutboxCommand.State.DONE) {
            moved.put(command.item().id(), readIn);
            if (behind.remove(workflowId)) {
                requested = true;
            }
        } else if (command.state() == OutboxCommand.State.LATER) {
            behind.add(workflowId);
        } else {
            passedOver.add(workflowId);
            behind.remove(workflowId);
        }
    }

    /**
     * Removes moved items from the outbox, in the epoch in which they were moved. An item that was moved in another
     * epoch may be lost.
     */
    private void remove() {
        Map<String, List<UUID>> byEpoch = new HashMap<>();
        moved.forEach((id, epoch) ->
                byEpoch.computeIfAbsent(epoch, any -> new ArrayList<>()).add(id));
        byEpoch.forEach((epoch, ids) -> {
            context.store().forwarded(shard, epoch, ids);
            ids.forEach(moved::remove);
        });
    }

    /**
     * Returns the nanoseconds until the first command has taken {@code time}, or {@link Long#MAX_VALUE} if there is
     * none.
     */
    long nanosLeft(Duration time) {
        return underway.values().stream()
                .mapToLong(command -> command.nanosLeft(time))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Gives up commands that have waited for an outcome for {@code time}. */
    void giveUp(Duration time) {
        underway.values().stream()
                .filter(command -> command.nanosLeft(time) <= 0)
                .toList()
                .forEach(OutboxCommand::giveUp);
    }
}
