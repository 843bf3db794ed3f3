package dev.dormouse.error;

import org.jspecify.annotations.Nullable;

/**
 * The base class of Dormouse exceptions. A message has the form {@code [DM1003] Expected …, but …} and then says what
 * to do. Decide by {@link #code()} or by type, never by the text.
 */
public class DormouseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** More causes than an exception has, unless they form a cycle. */
    private static final int MOST_CAUSES = 100;

    private final ErrorCode code;

    /**
     * Creates an exception without a cause.
     *
     * @param message the message without the code, which is put before it
     */
    public DormouseException(ErrorCode code, String message) {
        this(code, message, null);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message the message without the code, which is put before it
     * @param cause the cause; null for none
     */
    public DormouseException(ErrorCode code, String message, @Nullable Throwable cause) {
        super("[" + code.label() + "] " + message, cause);
        this.code = code;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }

    /** Returns the error code. */
    public final ErrorCode code() {
        return code;
    }

    /**
     * Returns true if this exception or one of its causes is a {@code type}. Exceptions of steps, children and runs are
     * recorded by the names of their classes, so for these only exactly this class counts, not its subclasses:
     *
     * <pre>{@code
     * } catch (ActivityFailedException failed) {
     *     if (failed.isCausedBy(CardDeclinedException.class)) { … }
     * }</pre>
     */
    public final boolean isCausedBy(Class<? extends Throwable> type) {
        Throwable at = this;
        for (int depth = 0; at != null && depth < MOST_CAUSES; depth++) {
            boolean isRecorded = at instanceof RecordedException;
            if (isRecorded ? ((RecordedException) at).type().equals(type.getName()) : type.isInstance(at)) {
                return true;
            }
            at = at.getCause();
        }
        return false;
    }
}
