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
 * Walks through the outbox of one shard, page by page, and begins an {@link OutboxCommand} for each item. Items for one workflow
 * id are carried out in their order: one at a time, and none after one that is held up. Items for different workflow ids do
 * not wait for each other, however many are held up. A walk that meets another epoch begins again: what was delivered
 * before may be lost, and then comes first again. Confined to the outbox loop's thread, except for {@link #want}.
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
    private final Map<UUID, String> moved = new HashMap<>();
    private final Set<String> passedOver = new HashSet<>();
    private final Set<String> behind = new HashSet<>();
    private boolean scanning;
    private Optional<String> page = Optional.empty();
    private String epoch = Fence.ANY_EPOCH;
    private long bytes;
    private volatile boolean wanted;

    OutboxScan(NodeContext context, int shard, OutboxCommands commands, Consumer<Runnable> loop) {
        this.context = context;
        this.shard = shard;
        this.commands = commands;
        this.loop = loop;
    }

    /** Makes a walk begin after the one that may be on its way. */
    void want() {
        wanted = true;
    }

    /** Removes what was moved, and walks as far as there is room. */
    void go() {
        remove();
        if (!scanning && wanted) {
            scanning = true;
            wanted = false;
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

    /** Whether the pages before were read before a failover. */
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
            OutboxCommand errand = new OutboxCommand(item, shard, fence, context.threads(), loop, this::ended);
            underway.put(workflowId, errand);
            bytes += item.payload().length;
            errand.step(() -> commands.begin(errand));
        }
    }

    private boolean wasMoved(Outgoing item, OutboxFence fence) {
        return fence.epoch().equals(moved.get(item.id()));
    }

    private void ended(OutboxCommand errand) {
        String workflowId = errand.workflowId();
        underway.remove(workflowId);
        bytes -= errand.item().payload().length;
        String readIn = errand.fence().epoch();
        if (errand.state() == OutboxCommand.State.DONE && !readIn.equals(epoch)) {
            passedOver.add(workflowId); // the items behind it were read after a failover that may have lost it
            wanted = true;
        } else if (errand.state() == OutboxCommand.State.DONE) {
            moved.put(errand.item().id(), readIn);
            if (behind.remove(workflowId)) {
                wanted = true;
            }
        } else if (errand.state() == OutboxCommand.State.LATER) {
            behind.add(workflowId);
        } else {
            passedOver.add(workflowId);
            behind.remove(workflowId);
        }
    }

    /** In the epoch in which they were moved: what was moved in another may be lost. */
    private void remove() {
        Map<String, List<UUID>> byEpoch = new HashMap<>();
        moved.forEach((id, epoch) ->
                byEpoch.computeIfAbsent(epoch, any -> new ArrayList<>()).add(id));
        byEpoch.forEach((epoch, ids) -> {
            context.store().forwarded(shard, epoch, ids);
            ids.forEach(moved::remove);
        });
    }

    /** Returns how many nanoseconds are left until an errand is to be given up; the largest number where there is none. */
    long nanosLeft(Duration time) {
        return underway.values().stream()
                .mapToLong(errand -> errand.nanosLeft(time))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Gives up commands that have waited for this long for what they sent. */
    void giveUp(Duration time) {
        underway.values().stream()
                .filter(errand -> errand.nanosLeft(time) <= 0)
                .toList()
                .forEach(OutboxCommand::giveUp);
    }
}
