package dev.dormouse.error;

import org.jspecify.annotations.Nullable;

/**
 * The base class of Dormouse exceptions. A message has the form {@code [DM1003] Expected …, but …} and then says what
 * to do. Decide by {@link #code()} or by type, never by the text.
 */
public class DormouseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    public DormouseException(ErrorCode code, String message) {
        this(code, message, null);
    }

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
}
