package dev.dormouse.postgres.page;

/** The end of the range of strings with a prefix, in collation "C" (code point order). */
final class PrefixRange {
    /** A string that sorts after every id, because no id starts with ten U+10FFFF characters. */
    private static final String AFTER_ALL =
            Character.toString(Character.MAX_CODE_POINT).repeat(10);

    private PrefixRange() {}

    /** Returns the first string after all strings with this prefix. */
    static String end(String prefix) {
        int length = prefix.length();
        while (length > 0) {
            int last = prefix.codePointBefore(length);
            length -= Character.charCount(last);
            if (last < Character.MAX_CODE_POINT) {
                return prefix.substring(0, length) + Character.toString(after(last));
            }
        }
        return AFTER_ALL;
    }

    /** Returns the next code point. Skips surrogates, which are not characters and unknown to PostgreSQL. */
    private static int after(int codePoint) {
        return codePoint + 1 == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : codePoint + 1;
    }
}
