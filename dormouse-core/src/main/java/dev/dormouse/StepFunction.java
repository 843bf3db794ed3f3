package dev.dormouse;

import org.jspecify.annotations.Nullable;

/** The body of a step with a result. It may throw any exception. */
@FunctionalInterface
public interface StepFunction<T extends @Nullable Object> {
    /**
     * Executes the step and returns its result.
     *
     * @throws Exception any exception; it fails the attempt
     */
    T run() throws Exception;
}
