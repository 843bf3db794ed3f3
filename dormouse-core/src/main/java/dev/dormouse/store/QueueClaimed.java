package dev.dormouse.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a claim of a queue took.
 *
 * @param now the store's clock
 * @param runs the claimed runs, in the order in which they should begin
 * @param more whether there may be more runs due than were claimed, in the lanes that were asked for
 * @param next when it is worth asking again although nobody tells. Set where the queue's limits hold up all that is left:
 *     the end of the first lease that takes up room, or else the instant at which the rate allows the next. Null where
 *     there is nothing more, and where only this node's own {@code limit} is in the way
 * @param moved the instants to which the alarms of runs were moved whose keys have no room
 */
public record QueueClaimed(
        Instant now,
        List<Claimed.Run> runs,
        boolean more,
        @Nullable Instant next,
        List<Instant> moved) {

    /** What a turn came to, with these runs. */
    public static QueueClaimed of(Instant now, List<Claimed.Run> runs, QueueTurn.Decision decision) {
        List<Instant> moved = decision.moved().values().stream().distinct().toList();
        return new QueueClaimed(now, runs, decision.more(), decision.next(), moved);
    }
}
