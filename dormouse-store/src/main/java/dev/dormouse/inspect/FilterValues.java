package dev.dormouse.inspect;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Null checks for the values of filters. */
final class FilterValues {
    private FilterValues() {}

    /** Returns {@code value}, or throws BAD_ARGUMENT if it is null. {@code what} is a noun phrase for the message. */
    static <T> T required(@Nullable T value, String what) {
        if (value == null) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT, "Expected " + what + ", but got null. Pass a value, or omit the call.");
        }
        return value;
    }

    /** Returns the values as a set; a value may occur twice. Throws BAD_ARGUMENT if they or one of them are null. */
    static <T> Set<T> setOf(T @Nullable [] values, String what) {
        Set<T> set = new LinkedHashSet<>();
        for (T value : required(values, what)) {
            set.add(required(value, what));
        }
        return Set.copyOf(set);
    }
}
