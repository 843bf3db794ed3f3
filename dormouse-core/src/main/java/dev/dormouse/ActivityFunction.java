package dev.dormouse;

import org.jspecify.annotations.Nullable;

/** An activity as a function. Must be thread-safe: several threads call it at the same time. */
@FunctionalInterface
public interface ActivityFunction<I extends @Nullable Object, O extends @Nullable Object> {
    /**
     * Executes the activity and returns its result.
     *
     * @throws Exception any exception; it fails the attempt
     */
    O run(I input) throws Exception;
}
