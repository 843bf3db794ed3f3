package dev.dormouse.sqlite;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import org.jspecify.annotations.Nullable;

/** Refuses text that would not come back as it was: half of a character would become a question mark on its way. */
final class Texts {
    private Texts() {}

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
