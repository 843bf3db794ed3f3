package dev.dormouse.store.page;

import java.util.Comparator;

/**
 * The order in which databases sort texts. {@link String#compareTo} differs from it: it sorts characters beyond U+FFFF,
 * as surrogates, before the last characters below U+FFFF.
 */
public final class TextOrder {
    /** Compares by UTF-8 bytes, which is the same as by code points. */
    public static final Comparator<String> BY_UTF8 = TextOrder::compare;

    private TextOrder() {}

    private static int compare(String one, String other) {
        int shorter = Math.min(one.length(), other.length());
        for (int i = 0; i < shorter; i++) {
            if (one.charAt(i) != other.charAt(i)) {
                return Integer.compare(rank(one.charAt(i)), rank(other.charAt(i)));
            }
        }
        return Integer.compare(one.length(), other.length());
    }

    private static int rank(char part) {
        return Character.isSurrogate(part) ? part + Character.MAX_VALUE : part;
    }
}
