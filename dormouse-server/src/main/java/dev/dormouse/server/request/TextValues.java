package dev.dormouse.server.request;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Locale;

/** A parser for values of parameters and bodies. */
public final class TextValues {
    private static final int SHOWN = 80;

    private TextValues() {}

    /**
     * Returns the text if every store can keep it.
     *
     * @throws ApiProblem 400 if it contains NUL or half a surrogate pair
     */
    public static String whole(String path, String text) {
        boolean isOdd = text.indexOf('\0') >= 0
                || text.codePoints().anyMatch(one -> one >= Character.MIN_SURROGATE && one <= Character.MAX_SURROGATE);
        if (isOdd) {
            throw ApiProblem.bad(
                    path, "Expected whole characters without NUL, but there is something else. Leave it out.");
        }
        return text;
    }

    public static Instant instant(String path, String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException malformed) {
            throw ApiProblem.bad(
                    path, "Expected an instant such as 2027-01-31T09:00:00Z, but got " + shown(text) + ".");
        }
    }

    public static Duration duration(String path, String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeException | ArithmeticException malformed) {
            throw ApiProblem.bad(path, "Expected a duration such as PT30S or P1D, but got " + shown(text) + ".");
        }
    }

    /** Returns {@code now} plus {@code time}. */
    public static Instant after(String path, Instant now, Duration time) {
        try {
            return now.plus(time);
        } catch (DateTimeException | ArithmeticException tooLong) {
            throw ApiProblem.bad(path, "Expected a duration that ends before the last instant, but got " + time + ".");
        }
    }

    public static <E extends Enum<E>> E oneOf(String path, Class<E> type, String text) {
        for (E value : type.getEnumConstants()) {
            if (value.name().equals(text.toUpperCase(Locale.ROOT))) {
                return value;
            }
        }
        throw ApiProblem.bad(
                path, "Expected one of " + Arrays.toString(type.getEnumConstants()) + ", but got " + shown(text) + ".");
    }

    public static String shown(String text) {
        return "'" + (text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…") + "'";
    }
}
