package dev.dormouse.timer;

/** The status of a timer. */
public enum TimerStatus {
    /** The timer will fire, for the first time or again after a failed attempt. */
    PENDING,
    /** The handler is executing. */
    FIRING,
    /** The handler has returned. */
    FIRED,
    /** The handler has failed, and is not tried again. */
    FAILED,
    /** The timer will never fire. */
    CANCELLED,
    /** The timer cannot be executed in its stored form; it is retried periodically. */
    STUCK;
}
