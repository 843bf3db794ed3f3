package dev.dormouse;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import org.jspecify.annotations.Nullable;

/** Null where something is needed is said at once, where it was passed, and not later by something that trips over it. */
final class Arguments {
    private Arguments() {}

    /** @param what such as {@code a workflow id} */
    static <T> T required(@Nullable T value, String what) {
        if (value == null) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT, "Expected " + what + ", but got null. Pass one, or leave the call out.");
        }
        return value;
    }
}
