package dev.dormouse.error;

import org.jspecify.annotations.Nullable;

/** Texts of others inside messages of Dormouse. */
public final class Sentence {
    private static final String ENDS = ".!?…";

    private Sentence() {}

    /** The text with a full stop at its end, unless it ends like a sentence already. */
    public static String of(@Nullable Object text) {
        String words = String.valueOf(text).strip();
        return !words.isEmpty() && ENDS.indexOf(words.charAt(words.length() - 1)) >= 0 ? words : words + ".";
    }
}
