package dev.dormouse.error;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An exception for activities, workflows and update handlers to throw, by which their callers can decide what to do. It
 * has a type, which is a name of your choice, and may have details, which the caller reads back as a value:
 *
 * <pre>{@code
 * throw new ApplicationException("CardDeclined", "the bank has declined the card")
 *         .withDetails(new Decline("limit", 500))
 *         .nonRetryable();
 *
 * // in the workflow, or in a client of the workflow:
 * } catch (ActivityFailedException failed) {
 *     if (failed.isCausedBy("CardDeclined")) {
 *         Decline decline = failed.details(Decline.class).orElseThrow();
 * }</pre>
 *
 * <p>The type is recorded in the place of the name of a class, in plain text, even if the payload codec encrypts. So it
 * stays the same when classes are renamed, and also stops retries by the {@code withNonRetryable(String)} of a
 * retry policy. Details are stored by the payload codec, like arguments and results, and have the same size limit.
 */
public final class ApplicationException extends RuntimeException implements RetryHint {
    private static final long serialVersionUID = 1L;

    private final String type;
    private transient @Nullable Object details;
    private @Nullable Duration retryAfter;
    private boolean isFinal;

    /**
     * Creates an exception without details.
     *
     * @param type a name for the kind of failure, such as {@code CardDeclined}
     * @throws DormouseException BAD_ARGUMENT if {@code type} is null or blank
     */
    public ApplicationException(String type, String message) {
        this(type, message, null);
    }

    /**
     * Creates an exception without details, with a cause.
     *
     * @param type a name for the kind of failure, such as {@code CardDeclined}
     * @throws DormouseException BAD_ARGUMENT if {@code type} is null or blank
     */
    public ApplicationException(String type, String message, @Nullable Throwable cause) {
        super(message, cause);
        if (type == null || type.isBlank()) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a type for an exception, but got '" + type
                            + "'. Pass a name by which callers recognize the failure, such as CardDeclined.");
        }
        this.type = type;
    }

    /**
     * Attaches a value that callers read with {@link DormouseException#details}, and returns this exception. The value
     * must be one that the payload codec can encode, such as a record. If it cannot be encoded, or is too large, a step
     * or run fails with PAYLOAD_NOT_SERIALIZABLE or PAYLOAD_TOO_LARGE instead.
     *
     * @param value null for no details
     */
    public ApplicationException withDetails(@Nullable Object value) {
        details = value;
        return this;
    }

    /**
     * Prevents another attempt of the activity that throws this exception, even if its retry policy allows one, and
     * returns this exception.
     */
    public ApplicationException nonRetryable() {
        isFinal = true;
        return this;
    }

    /**
     * Sets the delay before the next attempt of the activity that throws this exception, if its retry policy allows one,
     * and returns this exception.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code delay} is null
     */
    public ApplicationException withRetryAfter(Duration delay) {
        if (delay == null) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT, "Expected a delay, but got null. Pass a value, or omit the call.");
        }
        retryAfter = delay;
        return this;
    }

    /** Returns the name for the kind of failure. */
    public String type() {
        return type;
    }

    /** Returns the attached value; null if there is none. */
    public @Nullable Object details() {
        return details;
    }

    @Override
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }

    @Override
    public boolean isFinal() {
        return isFinal;
    }

    /** Returns the type and the message, as they are recorded. */
    @Override
    @SuppressWarnings("OverrideThrowableToString")
    public String toString() {
        return type + ": " + getMessage();
    }
}
