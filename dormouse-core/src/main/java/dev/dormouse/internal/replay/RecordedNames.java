package dev.dormouse.internal.replay;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;

/** A check for names that the code chooses and that must come back from the store unchanged. */
public final class RecordedNames {
    private RecordedNames() {}

    /**
     * Throws if a name contains a lone surrogate.
     *
     * @param what the kind of name, such as {@code step}
     * @throws DormouseException BAD_ARGUMENT
     */
    public static void check(String what, String name) {
        if (!isWhole(name)) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected the name of a " + what + " to be whole characters, but it holds half of one "
                            + "(a lone surrogate). Choose another name.");
        }
    }

    /** Returns true if a text has no lone surrogates. */
    public static boolean isWhole(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!Character.isHighSurrogate(text.charAt(i))
                        || i + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }
}
