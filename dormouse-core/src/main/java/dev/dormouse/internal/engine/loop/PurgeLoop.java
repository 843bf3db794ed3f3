package dev.dormouse.internal.engine.loop;

import dev.dormouse.internal.engine.context.IdGenerator;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.store.run.Purged;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop that deletes closed runs when their retention has expired. It examines runs in batches, each of which is
 * one transaction. A batch that takes longer than {@link #LONG_BATCH} is followed by one of half its size, and a short
 * one by one of twice its size, up to {@link #LARGEST_BATCH}. After a batch the loop rests nine times as long as the batch
 * took, so a node spends at most a tenth of its time on deletion, even if a database contains a million old runs.
 *
 * <p>Any thread may call {@link #close}; everything else runs on the loop's thread. Several nodes may purge at the same
 * time. Best effort: runs that a failed purge leaves are deleted by the next one.
 */
public final class PurgeLoop extends StoreLoop {
    private static final Logger LOG = LoggerFactory.getLogger(PurgeLoop.class);
    private static final int FIRST_BATCH = 25;
    private static final int LARGEST_BATCH = 200;
    private static final Duration LONG_BATCH = Duration.ofMillis(100);
    private static final int REST_FACTOR = 9;
    private static final Duration PAUSE_BETWEEN_BATCHES = Duration.ofMillis(50);
    private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofHours(1);
    private static final Duration LONGEST_FIRST_PAUSE = Duration.ofMinutes(10);

    private final Duration retention;
    private Duration pause;
    private int batch = FIRST_BATCH;
    private long deleted;
    private boolean hasReported;

    public PurgeLoop(NodeContext context, Duration retention) {
        super(context);
        this.retention = retention;
        this.pause = shorter(shortestPause(), LONGEST_FIRST_PAUSE); // a process may not live for an hour
    }

    @Override
    protected void turn() {
        rest(pause);
        long begun = context.threads().nanoTime();
        attemptAllShards("Purging closed runs failed; trying again later", this::purge);
        Duration taken = Duration.ofNanos(context.threads().nanoTime() - begun)
                .multipliedBy(REST_FACTOR); // scanning takes long if many old runs are open
        pause = taken.compareTo(shortestPause()) > 0 ? taken : shortestPause();
        report();
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** Logs the first deletion of this node, because it may be a surprise. Later ones are routine. */
    private void report() {
        if (deleted > 0 && !hasReported) {
            hasReported = true;
            LOG.info(
                    "{} closed runs were deleted, which had ended more than {} days ago.", deleted, retention.toDays());
        } else if (deleted > 0) {
            LOG.debug("{} closed runs were deleted.", deleted);
        }
        deleted = 0;
    }

    /** Returns a tenth of the retention, within limits. */
    private Duration shortestPause() {
        Duration tenth = retention.dividedBy(10);
        if (tenth.compareTo(SHORTEST_PAUSE) < 0) {
            return SHORTEST_PAUSE;
        }
        return shorter(tenth, LONGEST_PAUSE);
    }

    private void purge(int shard) {
        Instant closedBefore = context.clock().earliest().minus(retention);
        Optional<UUID> position = Optional.empty();
        do {
            long begun = context.threads().nanoTime();
            Purged purged = context.store().purge(shard, closedBefore, position, batch);
            Duration taken = Duration.ofNanos(context.threads().nanoTime() - begun);
            deleted += purged.runs();
            batch = taken.compareTo(LONG_BATCH) > 0 ? Math.max(1, batch / 2) : Math.min(LARGEST_BATCH, batch * 2);
            position = purged.next()
                    .filter(id -> !IdGenerator.isAfter(id, closedBefore)); // later runs cannot have closed before
            Duration rest = taken.multipliedBy(REST_FACTOR);
            rest(rest.compareTo(PAUSE_BETWEEN_BATCHES) > 0 ? rest : PAUSE_BETWEEN_BATCHES);
        } while (position.isPresent() && !isClosed());
    }
}
