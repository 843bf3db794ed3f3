package dev.dormouse.internal.value;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import org.jspecify.annotations.Nullable;

/** Null checks for arguments, which fail in the call that passed null rather than in later code. */
public final class Arguments {
    private Arguments() {}

    /**
     * Returns the value, or throws BAD_ARGUMENT if it is null.
     *
     * @param what the noun phrase for the message, such as {@code a workflow id}
     */
    public static <T> T required(@Nullable T value, String what) {
        if (value == null) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT, "Expected " + what + ", but got null. Pass a value, or omit the call.");
        }
        return value;
    }
}
