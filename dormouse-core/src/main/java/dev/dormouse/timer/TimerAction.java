package dev.dormouse.timer;

import org.jspecify.annotations.Nullable;

/** The action of a timer when it fires. It may throw any exception. */
@FunctionalInterface
public interface TimerAction<T extends @Nullable Object> {
    /**
     * Handles a timer that fires.
     *
     * @throws Exception any exception; it fails the attempt
     */
    void fire(T payload) throws Exception;
}
