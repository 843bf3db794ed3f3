package dev.dormouse.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Timers that were set in SQL, for those who look on and operate; nodes of their own fire them. A store that has none of
 * them, or whose role may not see those of all, shows none. Lists and counts look at a bounded number of rows, along an
 * index, as those of {@link PageStore} do.
 *
 * <p>Throws {@link StoreException} when the database cannot be asked.
 */
public interface SqlTimerStore {
    /** Where there are none. */
    SqlTimerStore NONE = new NoSqlTimers();

    /** Pending ones that fire at some time, by instant and id. */
    DuePage<SqlTimer> due(@Nullable DuePlace after, int limit);

    /** See {@link PageStore#dueCounts}. */
    DueCounts dueCounts(Instant overdueBefore, List<Instant> bounds);

    /** The latest instant of all. */
    Optional<Instant> lastDue();

    /** Returns up to {@code limit} of those that have failed and are not tried again, the latest first. */
    List<SqlTimer> failed(int limit);

    Optional<SqlTimer> get(SqlTimerId id);

    /** Lets a pending one fire at another instant; false where it is too late, or somebody else is at it. */
    boolean move(SqlTimerId id, Instant at);

    /** True: it will never fire; false where it is too late, or somebody else is at it. */
    boolean cancel(SqlTimerId id);
}
