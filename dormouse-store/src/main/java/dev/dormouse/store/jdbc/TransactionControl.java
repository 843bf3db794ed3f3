package dev.dormouse.store.jdbc;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A check for statements that begin or end a transaction, by their first words. It does not detect one that follows
 * another statement in the same text. Stores therefore check again at commit that their transaction is still the same.
 */
final class TransactionControl {
    private static final Pattern WORDS = Pattern.compile(
            "(?:commit|end|abort|begin|start\\s+transaction|prepare\\s+transaction"
                    + "|rollback(?!\\s+(?:(?:transaction|work)\\s+)?to\\b))\\b",
            Pattern.CASE_INSENSITIVE);

    private TransactionControl() {}

    /**
     * Returns the words that begin or end a transaction, if this call passes the text of such a statement; otherwise
     * empty.
     */
    static Optional<String> in(String method, String sql) {
        if (!method.startsWith("execute") && !method.startsWith("prepare") && !method.equals("addBatch")) {
            return Optional.empty();
        }
        Matcher words = WORDS.matcher(sql).region(beginning(sql), sql.length());
        return words.lookingAt() ? Optional.of(words.group()) : Optional.empty();
    }

    /** Returns the index of the first word, after blanks, comments and empty statements. */
    private static int beginning(String sql) {
        int at = 0;
        while (at < sql.length()) {
            if (sql.startsWith("--", at)) {
                at = behind(sql, "\n", at);
            } else if (sql.startsWith("/*", at)) {
                at = behind(sql, "*/", at + 2);
            } else if (Character.isWhitespace(sql.charAt(at)) || sql.charAt(at) == ';') {
                at++;
            } else {
                return at;
            }
        }
        return at;
    }

    private static int behind(String sql, String end, int from) {
        int found = sql.indexOf(end, from);
        return found < 0 ? sql.length() : found + end.length();
    }
}
