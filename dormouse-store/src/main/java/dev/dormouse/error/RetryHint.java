package dev.dormouse.error;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** An interface for exceptions that decide when a step is tried again, or that it is not tried again. */
public interface RetryHint {

    /** Returns how long to wait before the next attempt; null to leave that to the retry policy. */
    @Nullable
    Duration retryAfter();

    /** Returns true if another attempt would be useless. */
    boolean isFinal();
}
