package dev.dormouse;

import org.jspecify.annotations.Nullable;

/** What a timer does when it fires, if it wants to know which timer it is, and which attempt. */
@FunctionalInterface
public interface TimerHandler<T extends @Nullable Object> {
    void fire(T payload, TimerFiring firing) throws Exception;
}
