package dev.dormouse;

import org.jspecify.annotations.Nullable;

/** What a step does. It may throw anything. */
@FunctionalInterface
public interface StepFunction<T extends @Nullable Object> {
    T run() throws Exception;
}
