package dev.dormouse.postgres;

/** Where the strings that begin with a prefix end, in the order of collation "C": that of code points. */
final class Prefixes {
    /** No id that anybody uses begins with so many of the last character there is. */
    private static final String AFTER_ALL =
            Character.toString(Character.MAX_CODE_POINT).repeat(10);

    private Prefixes() {}

    /** The first string after all that begin with the prefix. */
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

    /** Surrogates are no characters, and PostgreSQL knows none. */
    private static int after(int codePoint) {
        return codePoint + 1 == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : codePoint + 1;
    }
}
