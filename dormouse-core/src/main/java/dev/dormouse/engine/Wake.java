package dev.dormouse.engine;

import dev.dormouse.store.WakeReason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** When a run that waits must be woken, and why. */
record Wake(Instant at, WakeReason reason) {

    static @Nullable Wake earliest(@Nullable Wake one, @Nullable Wake other) {
        return one == null ? other : other == null ? one : one.earlier(other);
    }

    Wake earlier(Wake other) {
        return other.at.isBefore(at) ? other : this;
    }

    /** Whether it is a wait of the workflow's own, as opposed to one of its steps. */
    boolean isOfCode() {
        return reason == WakeReason.TIMER || reason == WakeReason.TIMEOUT;
    }
}
