package dev.dormouse.store.queue;

import dev.dormouse.store.run.Claimed;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a {@link QueueClaim}.
 *
 * @param now the store's clock
 * @param runs the claimed runs, in the order in which they should begin
 * @param more true if more runs may be due in the requested lanes than were claimed
 * @param next when to claim again even without a notification. It is set if the queue's limits hold back all remaining
 *     runs: the end of the first lease that takes up room, or else the instant at which the rate allows the next start.
 *     Null if nothing remains, or if only this node's own {@code limit} is in the way
 * @param moved the instants to which the store moved the alarms of runs whose keys had no room
 */
public record QueueClaimed(
        Instant now,
        List<Claimed.Run> runs,
        boolean more,
        @Nullable Instant next,
        List<Instant> moved) {

    /** Returns the result of a turn with the runs that the store has claimed for it. */
    public static QueueClaimed of(Instant now, List<Claimed.Run> runs, QueueTurn.Decision decision) {
        List<Instant> moved = decision.moved().values().stream().distinct().toList();
        return new QueueClaimed(now, runs, decision.more(), decision.next(), moved);
    }
}
