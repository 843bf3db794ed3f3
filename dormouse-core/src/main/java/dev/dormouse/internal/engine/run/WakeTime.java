package dev.dormouse.internal.engine.run;

import dev.dormouse.inspect.WakeReason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The instant at which a waiting run must be woken, and the reason. */
record WakeTime(Instant at, WakeReason reason) {

    static @Nullable WakeTime earliest(@Nullable WakeTime one, @Nullable WakeTime other) {
        return one == null ? other : other == null ? one : one.earlier(other);
    }

    WakeTime earlier(WakeTime other) {
        return other.at.isBefore(at) ? other : this;
    }

    /** Returns true if the workflow code waits, as opposed to one of its steps. */
    boolean isOfCode() {
        return reason == WakeReason.TIMER || reason == WakeReason.TIMEOUT;
    }
}
