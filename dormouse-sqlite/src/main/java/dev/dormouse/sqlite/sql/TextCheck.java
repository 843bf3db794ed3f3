package dev.dormouse.sqlite.sql;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * A check that rejects text that SQLite would not return unchanged: half of a surrogate pair would become a question
 * mark.
 */
public final class TextCheck {
    private TextCheck() {}

    static void check(@Nullable String text) {
        if (text == null) {
            return;
        }
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                checkPair(text, i);
                i++;
            }
        }
    }

    private static void checkPair(String text, int i) {
        if (i + 1 == text.length() || !Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1))) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected text of whole characters, but the one at " + i + " is half of a surrogate pair.");
        }
    }
}
