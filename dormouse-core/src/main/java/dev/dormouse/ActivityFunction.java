package dev.dormouse;

import org.jspecify.annotations.Nullable;

/** An activity as a function. Called by many threads. */
@FunctionalInterface
public interface ActivityFunction<I extends @Nullable Object, O extends @Nullable Object> {
    O run(I input) throws Exception;
}
