package dev.dormouse.error;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The exception that workflow code receives when a step or activity has failed and is not tried again. The cause is the
 * last exception, as it was recorded. The code is STEP_FAILED. An activity itself may throw {@link #retryAfter} or
 * {@link #nonRetryable} to control its next attempt.
 */
public class ActivityFailedException extends DormouseException implements RetryHint {
    private static final long serialVersionUID = 1L;

    private final String step;
    private final int attempts;
    private final RecordedException failure;
    private final @Nullable Duration retryAfter;
    private final boolean isFinal;

    /**
     * Creates the exception for a failed step. Dormouse creates it; a test of workflow code may, too.
     *
     * @param step the name of the step; for an activity, such as {@code Mail.welcome}
     * @param attempts the number of attempts
     * @param failure the exception of the last attempt
     */
    public ActivityFailedException(String step, int attempts, String message, RecordedException failure) {
        super(ErrorCode.STEP_FAILED, message, failure);
        this.step = step;
        this.attempts = attempts;
        this.failure = failure;
        this.retryAfter = null;
        this.isFinal = false;
    }

    private ActivityFailedException(
            String message, @Nullable Throwable cause, @Nullable Duration retryAfter, boolean isFinal) {
        super(ErrorCode.STEP_FAILED, message, cause);
        this.step = "";
        this.attempts = 0;
        this.failure = RecordedException.of(cause == null ? this : cause);
        this.retryAfter = retryAfter;
        this.isFinal = isFinal;
    }

    /**
     * Creates an exception for an activity to throw. The next attempt begins after {@code delay}, if the retry policy
     * allows another attempt.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code delay} is null
     */
    public static ActivityFailedException retryAfter(Duration delay) {
        return retryAfter(delay, null);
    }

    /**
     * Creates an exception with a cause for an activity to throw. The next attempt begins after {@code delay}, if the
     * retry policy allows another attempt.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code delay} is null
     */
    public static ActivityFailedException retryAfter(Duration delay, @Nullable Throwable cause) {
        if (delay == null) {
            throw missing("a delay");
        }
        String message = "Expected the activity to succeed, but it asks to be tried again after " + delay
                + (cause == null ? "." : ": " + Sentence.of(cause)) + " It is tried again if its policy allows that.";
        return new ActivityFailedException(message, cause, delay, false);
    }

    /**
     * Creates an exception for an activity to throw. The activity is not tried again, even if the retry policy allows
     * another attempt.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code message} is null
     */
    public static ActivityFailedException nonRetryable(String message) {
        return nonRetryable(message, null);
    }

    /**
     * Creates an exception with a cause for an activity to throw. The activity is not tried again, even if the retry
     * policy allows another attempt.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code message} is null
     */
    public static ActivityFailedException nonRetryable(String message, @Nullable Throwable cause) {
        if (message == null) {
            throw missing("a message");
        }
        return new ActivityFailedException(message, cause, null, true);
    }

    private static DormouseException missing(String what) {
        return new DormouseException(
                ErrorCode.BAD_ARGUMENT, "Expected " + what + ", but got null. Pass a value, or omit the call.");
    }

    /**
     * Returns the name of the step; for an activity, such as {@code Mail.welcome}. Empty for an exception that an
     * activity created.
     */
    public String step() {
        return step;
    }

    /** Returns the number of attempts. 0 for an exception that an activity created. */
    public int attempts() {
        return attempts;
    }

    /** Returns the exception of the last attempt, as it was recorded: the name of its class, message and causes. */
    public RecordedException failure() {
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
