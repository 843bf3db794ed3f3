package dev.dormouse;

import static dev.dormouse.Arguments.required;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.RetryHint;
import dev.dormouse.error.Sentence;
import dev.dormouse.history.Failure;
import dev.dormouse.replay.StepFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Thrown into workflow code by a step or activity that has failed for good; the cause is its last exception, as it was
 * written down. An activity itself may throw {@link #retryAfter} or {@link #nonRetryable} to say what is to come.
 */
public class ActivityFailure extends DormouseException implements RetryHint {
    private static final long serialVersionUID = 1L;

    private final String step;
    private final int attempts;
    private final transient Failure failure;
    private final @Nullable Duration retryAfter;
    private final boolean isFinal;

    ActivityFailure(String step, Failure failure, int attempts) {
        super(ErrorCode.STEP_FAILED, StepFailure.text(step, failure, attempts), failure.asException());
        this.step = step;
        this.attempts = attempts;
        this.failure = failure;
        this.retryAfter = null;
        this.isFinal = false;
    }

    private ActivityFailure(String message, @Nullable Throwable cause, @Nullable Duration retryAfter, boolean isFinal) {
        super(ErrorCode.STEP_FAILED, message, cause);
        this.step = "";
        this.attempts = 0;
        this.failure = Failure.of(cause == null ? this : cause);
        this.retryAfter = retryAfter;
        this.isFinal = isFinal;
    }

    /** For an activity to throw: the next attempt begins after this delay, if the policy allows another. */
    public static ActivityFailure retryAfter(Duration delay) {
        return retryAfter(delay, null);
    }

    /** The same, because of this. */
    public static ActivityFailure retryAfter(Duration delay, @Nullable Throwable cause) {
        required(delay, "a delay");
        String message = "Expected the activity to succeed, but it asks to be tried again after " + delay
                + (cause == null ? "." : ": " + Sentence.of(cause)) + " It is tried again if its policy allows that.";
        return new ActivityFailure(message, cause, delay, false);
    }

    /** For an activity to throw: another attempt would be no use, whatever the policy says. */
    public static ActivityFailure nonRetryable(String message) {
        return nonRetryable(message, null);
    }

    /** The same, because of this. */
    public static ActivityFailure nonRetryable(String message, @Nullable Throwable cause) {
        return new ActivityFailure(required(message, "a message"), cause, null, true);
    }

    /** The name of the step; for an activity {@code Mail.welcome}. Empty for one that an activity throws. */
    public String step() {
        return step;
    }

    /** How many attempts there were. */
    public int attempts() {
        return attempts;
    }

    /** What it threw, by name and text. */
    public Failure failure() {
        return failure;
    }

    @Override
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }

    @Override
    public boolean isFinal() {
        return isFinal;
    }
}
