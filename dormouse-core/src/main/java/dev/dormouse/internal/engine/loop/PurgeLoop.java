package dev.dormouse.internal.engine.loop;

import dev.dormouse.internal.engine.context.IdGenerator;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.store.run.Purged;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * The loop that deletes closed runs when their retention has expired, {@link #AT_ONCE} at a time with pauses in
 * between.
 *
 * <p>Any thread may call {@link #close}; everything else runs on the loop's thread. Several nodes may purge at the same
 * time. Best effort: runs that a failed purge leaves are deleted by the next one.
 */
public final class PurgeLoop extends StoreLoop {
    private static final int AT_ONCE = 200;
    private static final int REST_FACTOR = 9;
    private static final Duration PAUSE_BETWEEN_BATCHES = Duration.ofMillis(50);
    private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

    private final Duration retention;
    private Duration pause;

    public PurgeLoop(NodeContext context, Duration retention) {
        super(context);
        this.retention = retention;
        this.pause = shortestPause();
    }

    @Override
    protected void turn() {
        rest(pause);
        long begun = context.threads().nanoTime();
        attemptAllShards("Purging closed runs failed; trying again later", this::purge);
        Duration taken = Duration.ofNanos(context.threads().nanoTime() - begun)
                .multipliedBy(REST_FACTOR); // scanning takes long if many old runs are open
        pause = taken.compareTo(shortestPause()) > 0 ? taken : shortestPause();
    }

    /** Returns a tenth of the retention, within limits. */
    private Duration shortestPause() {
        Duration tenth = retention.dividedBy(10);
        if (tenth.compareTo(SHORTEST_PAUSE) < 0) {
            return SHORTEST_PAUSE;
        }
        return tenth.compareTo(LONGEST_PAUSE) < 0 ? tenth : LONGEST_PAUSE;
    }

    private void purge(int shard) {
        Instant closedBefore = context.clock().earliest().minus(retention);
        Optional<UUID> position = Optional.empty();
        do {
            Purged purged = context.store().purge(shard, closedBefore, position, AT_ONCE);
            position = purged.next()
                    .filter(id -> !IdGenerator.isAfter(id, closedBefore)); // later runs cannot have closed before
            rest(PAUSE_BETWEEN_BATCHES);
        } while (position.isPresent() && !isClosed());
    }
}
