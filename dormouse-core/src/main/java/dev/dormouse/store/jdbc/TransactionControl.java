package dev.dormouse.store.jdbc;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Recognizes a statement that would begin or end a transaction, by its first words. What hides behind another statement
 * in the same text is not seen here: stores look once more whether their transaction is still the same when they commit.
 */
final class TransactionControl {
    private static final Pattern WORDS = Pattern.compile(
            "(?:commit|end|abort|begin|start\\s+transaction|prepare\\s+transaction"
                    + "|rollback(?!\\s+(?:(?:transaction|work)\\s+)?to\\b))\\b",
            Pattern.CASE_INSENSITIVE);

    private TransactionControl() {}

    /** The words by which a call is recognized that hands over the text of such a statement. */
    static Optional<String> in(String method, String sql) {
        if (!method.startsWith("execute") && !method.startsWith("prepare") && !method.equals("addBatch")) {
            return Optional.empty();
        }
        Matcher words = WORDS.matcher(sql).region(beginning(sql), sql.length());
        return words.lookingAt() ? Optional.of(words.group()) : Optional.empty();
    }

    /** Where the first word is: behind blanks, comments and empty statements. */
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
