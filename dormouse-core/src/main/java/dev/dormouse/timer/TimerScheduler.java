package dev.dormouse.timer;

import dev.dormouse.IdReuse;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An API to schedule timers, and to change timers that have not fired. Thread-safe, except that of
 * {@link dev.dormouse.Dormouse.Within#timers}: only the thread that uses the connection may use it.
 *
 * <p>In addition to the codes that a method names, all methods throw {@link dev.dormouse.error.DormouseException} with
 * NOT_ALLOWED_HERE in workflow code, and, outside of your own transaction, in a transaction step; DORMOUSE_CLOSED after
 * the Dormouse was closed; READ_ONLY if it was opened read-only; STORE_UNAVAILABLE if the store does not respond.
 */
public interface TimerScheduler {

    /**
     * Schedules a call of a handler with this payload at {@code instant}; a past instant means now.
     *
     * @param handler the name of a handler that some node registers with {@link Timers#handle}, now or later
     * @param payload the argument of the handler; may be null, and is null there then
     * @return the id of the timer
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code instant} or {@code handler} is null, or the
     *     name is invalid; INSTANT_OUT_OF_RANGE if no store can hold the instant; PAYLOAD_NOT_SERIALIZABLE if the
     *     payload cannot be encoded; PAYLOAD_DOES_NOT_FIT if the payload does not fit the handler that is registered on
     *     this node; STORE_UNAVAILABLE if the store does not respond
     */
    TimerId at(Instant instant, String handler, @Nullable Object payload);

    /**
     * Schedules a call of a handler with this payload at {@code instant}, with the given options; a past instant means
     * now.
     *
     * @param payload the argument of the handler; may be null, and is null there then
     * @return the id of the timer
     * @throws dev.dormouse.error.DormouseException WORKFLOW_ID_TAKEN if a timer has the id and the options say
     *     {@link IdReuse#REJECT}, or a workflow has it; NOT_ALLOWED_HERE in a transaction, if the options would replace
     *     a timer that has ended; otherwise as {@link #at(Instant, String, Object)}
     */
    TimerId at(Instant instant, String handler, TimerOptions options, @Nullable Object payload);

    /**
     * Schedules a call of a handler with this payload after {@code delay}; zero or less means now.
     *
     * @param payload the argument of the handler; may be null, and is null there then
     * @return the id of the timer
     * @throws dev.dormouse.error.DormouseException as {@link #at(Instant, String, Object)}
     */
    TimerId after(Duration delay, String handler, @Nullable Object payload);

    /**
     * Schedules a call of a handler with this payload after {@code delay}, with the given options; zero or less means
     * now.
     *
     * @param payload the argument of the handler; may be null, and is null there then
     * @return the id of the timer
     * @throws dev.dormouse.error.DormouseException as {@link #at(Instant, String, TimerOptions, Object)}
     */
    TimerId after(Duration delay, String handler, TimerOptions options, @Nullable Object payload);

    /**
     * Cancels a timer. Returns true if its handler will not be called, or not be called again after a failed attempt.
     * Returns false if there is no such timer, or if its handler is executing, has finished, or may have been
     * interrupted by the end of its node.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code id} is null; STORE_FAILED if other
     *     transactions block the timer
     */
    boolean cancel(TimerId id);

    /**
     * Moves a timer to another instant. Returns false if there is no such timer, or if its handler was called before.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT for null; INSTANT_OUT_OF_RANGE if no store can hold
     *     the instant; STORE_FAILED if other transactions block the timer
     */
    boolean reschedule(TimerId id, Instant instant);

    /**
     * Fires a timer now. Returns false if there is no such timer, or if its handler was called before.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code id} is null; STORE_FAILED if other
     *     transactions block the timer
     */
    boolean fireNow(TimerId id);
}
