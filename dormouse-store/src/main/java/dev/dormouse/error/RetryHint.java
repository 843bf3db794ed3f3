package dev.dormouse.error;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** An interface for exceptions that decide whether and when a step is retried. */
public interface RetryHint {

    /** Returns how long to wait before the next attempt; null to leave that to the retry policy. */
    @Nullable
    Duration retryAfter();

    /** Returns true if another attempt would be useless. */
    boolean isFinal();
}
