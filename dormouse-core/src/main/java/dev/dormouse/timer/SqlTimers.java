package dev.dormouse.timer;

import dev.dormouse.inspect.SqlTimer;
import dev.dormouse.inspect.SqlTimerId;
import dev.dormouse.inspect.Statistics;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Timers that were scheduled in SQL, with {@code timers.schedule_at} and similar functions, in the store's own
 * PostgreSQL: an API for dashboards and operators. {@link Statistics#upcoming} lists them. They are available if the store's
 * role owns the schema {@code timers}, or is a member of the role that does; otherwise, and on other stores, there are
 * none. Thread-safe.
 *
 * <p>In addition to the codes that a method names, all methods throw {@link dev.dormouse.error.DormouseException} with
 * NOT_ALLOWED_HERE in workflow code; DORMOUSE_CLOSED after the Dormouse was closed; STORE_UNAVAILABLE if the store does
 * not respond. Methods that change a timer also throw NOT_ALLOWED_HERE in a transaction step, and READ_ONLY if the
 * Dormouse was opened read-only.
 */
public interface SqlTimers {

    /**
     * Returns a timer; empty if there is no such timer.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code id} is null
     */
    Optional<SqlTimer> get(SqlTimerId id);

    /**
     * Returns up to {@code limit} timers that failed and are not retried, among those that ended recently; the latest
     * first.
     */
    List<SqlTimer> failed(int limit);

    /**
     * Moves a pending timer to another instant; a timer whose handler has failed is retried then. Returns false if it
     * is too late, or if another session is changing the timer.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT for null; INSTANT_OUT_OF_RANGE if no store can hold
     *     the instant
     */
    boolean reschedule(SqlTimerId id, Instant instant);

    /**
     * Makes a pending timer due now. It fires as soon as a node for SQL timers claims it. Returns false if it is too
     * late, or if another session is changing the timer.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code id} is null
     */
    boolean fireNow(SqlTimerId id);

    /**
     * Cancels a timer. Returns true if it will never fire. Returns false if it is firing, has ended, or if another
     * session is changing it.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code id} is null
     */
    boolean cancel(SqlTimerId id);
}
