package dev.dormouse.replay;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;

/** Names that the code chooses, and that must come back from the store as they were. */
public final class Names {
    private Names() {}

    /** @param what such as {@code step} */
    public static void check(String what, String name) {
        if (!isWhole(name)) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected the name of a " + what + " to be whole characters, but it holds half of one "
                            + "(a lone surrogate). Choose another name.");
        }
    }

    /** Whether a text has no halves of characters. */
    public static boolean isWhole(String text) {
        return text.codePoints()
                .noneMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
    }
}
