package dev.dormouse.store.timer;

import dev.dormouse.inspect.SqlTimer;
import dev.dormouse.inspect.SqlTimerId;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.page.DueCounts;
import dev.dormouse.store.page.DuePage;
import dev.dormouse.store.page.DuePlace;
import dev.dormouse.store.page.PageStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Timers that were set in SQL, for dashboards and operators. Dormouse nodes with the SQL timer module fire them. A
 * store without SQL timers, or whose role must not see the timers of all roles, shows none. Lists and counts scan a
 * bounded number of rows, along an index, as those of {@link PageStore} do.
 *
 * <p>Every method throws {@link StoreException} if the database cannot be reached or fails.
 */
public interface SqlTimerStore {
    /** The SQL timers of a store that has none. */
    SqlTimerStore NONE = new NoSqlTimers();

    /**
     * Returns the place of a pending timer in the list of due timers.
     *
     * @throws java.util.NoSuchElementException if the timer has no instant
     */
    static DuePlace place(SqlTimer timer) {
        return new DuePlace(
                timer.fireAt().orElseThrow(),
                new UUID(timer.id().shardKey(), timer.id().id()));
    }

    /**
     * Returns a page of pending timers that have an instant, ordered by instant and id.
     *
     * @param after {@link DuePage#next} of the previous page; null for the first page
     */
    DuePage<SqlTimer> due(@Nullable DuePlace after, int limit);

    /**
     * Returns the number of pending timers by instant. Few timers are counted, many are estimated from samples.
     *
     * @param overdueBefore a timer before this instant is overdue
     * @param bounds the bounds of the buckets, in order; each bucket reaches from one bound (inclusive) to the next
     *     (exclusive)
     */
    DueCounts dueCounts(Instant overdueBefore, List<Instant> bounds);

    /** Returns the latest instant of all pending timers, empty if there is none. */
    Optional<Instant> lastDue();

    /** Returns up to {@code limit} timers that have failed and are not tried again, latest first. */
    List<SqlTimer> failed(int limit);

    /** Returns a timer, pending or ended; empty if there is none, or it was deleted. */
    Optional<SqlTimer> get(SqlTimerId id);

    /**
     * Moves a pending timer to another instant. Returns false if the timer is not pending any more, is firing, or is
     * locked by another session.
     */
    boolean move(SqlTimerId id, Instant at);

    /**
     * Cancels a pending timer, which then never fires. Returns false if the timer is not pending any more, is firing,
     * or is locked by another session.
     */
    boolean cancel(SqlTimerId id);
}
