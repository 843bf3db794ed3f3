package dev.dormouse;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Schedules timers, and changes those that have not fired. */
public interface TimerScheduler {

    /**
     * Calls a handler with this payload at an instant; one that has passed means now.
     *
     * @param handler a name for which some node has registered code by {@link Timers#handle}, now or by then
     */
    TimerId at(Instant instant, String handler, @Nullable Object payload);

    /** The same, with options. */
    TimerId at(TimerOptions options, Instant instant, String handler, @Nullable Object payload);

    /** Calls a handler so long from now; zero and less mean now. */
    TimerId in(Duration delay, String handler, @Nullable Object payload);

    /** The same, with options. */
    TimerId in(TimerOptions options, Duration delay, String handler, @Nullable Object payload);

    /**
     * Cancels a timer. True: it will never fire, or never again after an attempt that failed. False: there is no such
     * timer, its handler is at work or has done its work.
     */
    boolean cancel(TimerId id);

    /** Lets a timer fire at another instant. False: there is no such timer, or its handler was called before. */
    boolean reschedule(TimerId id, Instant instant);

    /** Lets a timer fire now. False: there is no such timer, or its handler was called before. */
    boolean fireNow(TimerId id);
}
