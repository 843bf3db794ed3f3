package dev.dormouse.internal.engine.loop;

import dev.dormouse.internal.engine.context.IdGenerator;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.Purged;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop that deletes closed runs when their retention has expired, {@link #AT_ONCE} at a time with pauses in
 * between.
 *
 * <p>Any thread may call {@link #close}; everything else runs on the loop's thread. Several nodes may purge at the same
 * time. Best effort: runs that a failed purge leaves are deleted by the next one.
 */
public final class PurgeLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(PurgeLoop.class);
    private static final int AT_ONCE = 200;
    private static final int REST_FACTOR = 9;
    private static final Duration PAUSE_BETWEEN_BATCHES = Duration.ofMillis(50);
    private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

    private final NodeContext context;
    private final Duration retention;
    private final Gate gate;
    private volatile boolean closed;

    public PurgeLoop(NodeContext context, Duration retention) {
        this.context = context;
        this.retention = retention;
        this.gate = context.threads().newGate();
    }

    public void close() {
        closed = true;
        gate.open();
    }

    @Override
    public void run() {
        Duration pause = pause();
        while (!closed) {
            gate.pass(pause);
            long begun = context.threads().nanoTime();
            for (int shard = 0; shard < context.store().shards() && !closed; shard++) {
                try {
                    purge(shard);
                } catch (StoreException noAnswer) {
                    context.stalled(noAnswer); // the next purge deletes the rest
                } catch (RuntimeException problem) {
                    LOG.error("Purging closed runs failed; trying again later", problem);
                }
            }
            Duration taken = Duration.ofNanos(context.threads().nanoTime() - begun);
            pause = longer(pause(), taken.multipliedBy(REST_FACTOR)); // scanning takes long if many old runs are open
        }
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    /** Returns a tenth of the retention, within limits. */
    private Duration pause() {
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
            gate.pass(PAUSE_BETWEEN_BATCHES);
        } while (position.isPresent() && !closed);
    }
}
