package dev.dormouse.error;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** An exception that says when a step should be tried again, or that it should not be. */
public interface RetryHint {

    /** How long to wait before the next attempt; null to leave that to the policy. */
    @Nullable
    Duration retryAfter();

    /** Whether another attempt would be no use. */
    boolean isFinal();
}
