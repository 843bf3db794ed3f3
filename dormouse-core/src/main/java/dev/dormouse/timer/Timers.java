package dev.dormouse.timer;

import dev.dormouse.Activity;
import dev.dormouse.RetryPolicy;
import dev.dormouse.TypeRef;
import dev.dormouse.Workflow;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Timers without a workflow: a handler is called at an instant, once and on time, even if nodes die in between.
 *
 * <pre>{@code
 * Timers timers = dormouse.timers();
 * timers.handle("expire-session", Session.class, s -> sessions.expire(s));
 * TimerId id = timers.after(Duration.ofMinutes(30), "expire-session", session);
 * timers.reschedule(id, later);
 * timers.cancel(id);                              // true: it will never fire
 * }</pre>
 *
 * <p>A handler is a step. If it fails, it is retried, by default indefinitely and with back-off (see
 * {@link RetryPolicy}), and it can use {@link Activity}. If a node dies while it executes a handler, another attempt
 * follows. A timer whose handler is not registered on any node stays pending. Thread-safe.
 *
 * <p>In addition to the codes that a method names, all methods throw {@link dev.dormouse.error.DormouseException} with
 * NOT_ALLOWED_HERE in workflow code; DORMOUSE_CLOSED after the Dormouse was closed; STORE_UNAVAILABLE if the store does
 * not respond. Methods that change something also throw NOT_ALLOWED_HERE in a transaction step, and READ_ONLY if the
 * Dormouse was opened read-only.
 */
public interface Timers extends TimerScheduler {

    /**
     * Registers a handler: from now on, this node calls {@code action} for timers of this handler that fire. The action
     * must be thread-safe. Each name can be registered once.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code handler} is invalid or registered twice,
     *     or {@code payload} has type parameters
     */
    default <T extends @Nullable Object> void handle(String handler, Class<T> payload, TimerAction<T> action) {
        handle(handler, TypeRef.of(payload), action);
    }

    /**
     * Registers a handler whose payload has type parameters: from now on, this node calls {@code action} for timers of
     * this handler that fire. The action must be thread-safe. Each name can be registered once.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code handler} is invalid or registered twice
     */
    <T extends @Nullable Object> void handle(String handler, TypeRef<T> payload, TimerAction<T> action);

    /**
     * Registers a handler that receives information about the timer and the attempt. The action must be thread-safe.
     * Each name can be registered once.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code handler} is invalid or registered twice,
     *     or {@code payload} has type parameters
     */
    default <T extends @Nullable Object> void handle(String handler, Class<T> payload, TimerHandler<T> action) {
        handle(handler, TypeRef.of(payload), action);
    }

    /**
     * Registers a handler that receives information about the timer and the attempt, and whose payload has type
     * parameters. The action must be thread-safe. Each name can be registered once.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code handler} is invalid or registered twice
     */
    <T extends @Nullable Object> void handle(String handler, TypeRef<T> payload, TimerHandler<T> action);

    /**
     * Registers a handler that changes the store's own database: its rows and the fact that the timer has fired are
     * committed together. Keep it short; see {@link Workflow#transaction}. The action must be thread-safe. Each name
     * can be registered once.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code handler} is invalid or registered twice,
     *     or {@code payload} has type parameters
     */
    default <T extends @Nullable Object> void handleInTransaction(
            String handler, Class<T> payload, TimerTransaction<T> action) {
        handleInTransaction(handler, TypeRef.of(payload), action);
    }

    /**
     * Registers a handler that changes the store's own database, and whose payload has type parameters: its rows and
     * the fact that the timer has fired are committed together. The action must be thread-safe. Each name can be
     * registered once.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code handler} is invalid or registered twice
     */
    <T extends @Nullable Object> void handleInTransaction(
            String handler, TypeRef<T> payload, TimerTransaction<T> action);

    /**
     * Returns the current state of a timer; empty if there is no such timer.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code id} is null
     */
    Optional<TimerInfo> get(TimerId id);

    /**
     * Lists timers, page by page.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code options} is null, or its page is invalid
     */
    TimerList list(TimerListOptions options);
}
