package dev.dormouse.timer;

import org.jspecify.annotations.Nullable;

/**
 * The action of a timer when it fires, with information about the timer and the attempt. It may throw any exception.
 */
@FunctionalInterface
public interface TimerHandler<T extends @Nullable Object> {
    /**
     * Handles a timer that fires.
     *
     * @throws Exception any exception; it fails the attempt
     */
    void fire(T payload, TimerFiring firing) throws Exception;
}
