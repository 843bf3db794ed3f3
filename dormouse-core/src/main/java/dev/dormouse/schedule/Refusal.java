package dev.dormouse.schedule;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import org.jspecify.annotations.Nullable;

/** Error messages for schedules that cannot be used. */
final class Refusal {
    /** The longest quote: enough to recognize the text, and not all of a text that was pasted by mistake. */
    private static final int LONGEST_QUOTE = 100;

    private Refusal() {}

    static DormouseException because(String sentences) {
        return new DormouseException(ErrorCode.BAD_SCHEDULE, sentences);
    }

    /**
     * Throws if a value is null.
     *
     * @param what the name of the value, such as {@code a time zone}
     */
    static void ofNull(@Nullable Object value, String what) {
        if (value == null) {
            throw because("Expected " + what + ", but got null. Pass one.");
        }
    }

    static String quoted(String text) {
        return '"' + (text.length() <= LONGEST_QUOTE ? text : text.substring(0, LONGEST_QUOTE) + "…") + '"';
    }
}
