package dev.dormouse;

import dev.dormouse.store.SqlTimer;
import dev.dormouse.store.SqlTimerId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Timers that were set in SQL, by {@code timers.schedule_at} and its like, in the store's own PostgreSQL: what a dashboard
 * shows of them, and what an operator may do. {@link Pulse#upcoming} lists them. They are there if the store's role owns
 * the schema {@code timers}, or is a member of the role that does; otherwise, and on other stores, there are none.
 * Thread-safe.
 */
public interface TimersInSql {

    Optional<SqlTimer> get(SqlTimerId id);

    /** Returns up to {@code limit} timers that have failed and are not tried again, of those that ended lately; the latest first. */
    List<SqlTimer> failed(int limit);

    /**
     * Lets a pending timer fire at another instant; one whose handler has failed is tried again then. False if that is too
     * late, or somebody else is just changing it.
     */
    boolean reschedule(SqlTimerId id, Instant instant);

    /** Lets a pending timer fire as soon as a node of SQL timers takes it. */
    boolean fireNow(SqlTimerId id);

    /** True: it will never fire. False if it fires just now, has ended, or somebody else is just changing it. */
    boolean cancel(SqlTimerId id);
}
