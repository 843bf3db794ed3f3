package dev.dormouse;

import org.jspecify.annotations.Nullable;

/** What a timer does when it fires. */
@FunctionalInterface
public interface TimerAction<T extends @Nullable Object> {
    void fire(T payload) throws Exception;
}
