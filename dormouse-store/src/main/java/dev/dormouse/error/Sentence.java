package dev.dormouse.error;

import org.jspecify.annotations.Nullable;

/** Formatting of texts that come from elsewhere inside Dormouse's messages. */
public final class Sentence {
    private static final String ENDS = ".!?…";

    private Sentence() {}

    /**
     * Returns the text with a full stop at its end, unless it already ends like a sentence.
     *
     * @param text any object, by its {@code toString}; null becomes {@code null.}
     */
    public static String of(@Nullable Object text) {
        String words = String.valueOf(text).strip();
        return !words.isEmpty() && ENDS.indexOf(words.charAt(words.length() - 1)) >= 0 ? words : words + ".";
    }
}
