package dev.dormouse;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Timers without a workflow: a handler is called at an instant, once and on time, whatever died in between.
 *
 * <pre>{@code
 * Timers timers = dormouse.timers();
 * timers.handle("expire-session", Session.class, s -> sessions.expire(s));
 * TimerId id = timers.in(Duration.ofMinutes(30), "expire-session", session);
 * timers.reschedule(id, later);
 * timers.cancel(id);                              // true: it will never fire
 * }</pre>
 *
 * <p>A handler is a step: it is tried again when it fails, by default without end and with back-off, see
 * {@link RetryPolicy}, and {@link Activity} can be used in it. A node that dies in a handler leads to another attempt. A
 * timer whose handler no node knows stays pending. Thread-safe.
 */
public interface Timers extends TimerScheduler {

    /** Calls this for timers of a handler that fire, from now on; on any number of threads. Once for each name. */
    default <T extends @Nullable Object> void handle(String handler, Class<T> payload, TimerAction<T> action) {
        handle(handler, TypeRef.of(payload), action);
    }

    /** Calls this for timers of a handler that fire, with a payload that has type parameters. */
    <T extends @Nullable Object> void handle(String handler, TypeRef<T> payload, TimerAction<T> action);

    /** The same for code that wants to know which timer it is called for. */
    default <T extends @Nullable Object> void handle(String handler, Class<T> payload, TimerHandler<T> action) {
        handle(handler, TypeRef.of(payload), action);
    }

    /** Calls this with the timer that has fired, and with a payload that has type parameters. */
    <T extends @Nullable Object> void handle(String handler, TypeRef<T> payload, TimerHandler<T> action);

    /**
     * The same for code that changes the store's own database: its rows and the fact that the timer has fired are
     * committed together. Keep it short; see {@link Workflow#transaction}.
     */
    default <T extends @Nullable Object> void handleInTransaction(
            String handler, Class<T> payload, TimerTransaction<T> action) {
        handleInTransaction(handler, TypeRef.of(payload), action);
    }

    /** Calls this in a transaction for timers that fire, with a payload that has type parameters. */
    <T extends @Nullable Object> void handleInTransaction(
            String handler, TypeRef<T> payload, TimerTransaction<T> action);

    Optional<TimerInfo> get(TimerId id);

    TimerList list(TimerListOptions options);
}
