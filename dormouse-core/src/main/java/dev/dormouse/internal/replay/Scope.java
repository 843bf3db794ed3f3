package dev.dormouse.internal.replay;

import dev.dormouse.error.CancelledException;
import org.jspecify.annotations.Nullable;

/**
 * A part of a run's code that is cancelled as a whole. Coroutines that wait in it, or in a scope within it, are woken.
 * Belongs to the run's coroutines.
 */
public final class Scope {
    private final @Nullable Scope outer;
    private @Nullable String reason;

    /** @param outer the enclosing scope; null for a scope that is not cancelled with any other */
    Scope(@Nullable Scope outer) {
        this.outer = outer;
    }

    void cancel(String why) {
        if (reason == null) {
            reason = why;
        }
    }

    public boolean isCancelled() {
        return reason() != null;
    }

    void check() {
        String why = reason();
        if (why != null) {
            throw new CancelledException(why);
        }
    }

    /** Returns true if this scope is {@code other} or lies within it. */
    boolean isWithin(Scope other) {
        return this == other || outer != null && outer.isWithin(other);
    }

    private @Nullable String reason() {
        return reason != null || outer == null ? reason : outer.reason();
    }
}
