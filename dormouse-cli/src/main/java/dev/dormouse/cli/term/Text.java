package dev.dormouse.cli.term;

import dev.dormouse.store.StoreUrl;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An escape for texts on a terminal: they must not move its cursor or change its colors. */
public final class Text {
    /** Matches a URL up to the next blank or quote. */
    private static final Pattern URL = Pattern.compile("(?:jdbc:|[A-Za-z][A-Za-z0-9+.-]*://)[^\\s'\"]+");

    private Text() {}

    /** Returns the text with the passwords in its URLs masked. */
    public static String withoutPasswords(String text) {
        return URL.matcher(text).replaceAll(url -> Matcher.quoteReplacement(StoreUrl.masked(url.group())));
    }

    /** Returns the text on one line, with control characters escaped. */
    public static String clean(String text) {
        if (text.codePoints().noneMatch(Text::isUnfit)) {
            return text;
        }
        StringBuilder clean = new StringBuilder();
        text.codePoints().forEach(point -> append(clean, point));
        return clean.toString();
    }

    private static void append(StringBuilder clean, int point) {
        if (point == '\n' || point == '\r' || point == '\t') {
            clean.append(' ');
        } else if (isUnfit(point)) {
            clean.append(String.format("\\u%04x", point));
        } else {
            clean.appendCodePoint(point);
        }
    }

    private static boolean isUnfit(int point) {
        int type = Character.getType(point);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR
                || type == Character.SURROGATE;
    }

    /** Wraps a text between words into lines of at most {@code columns} columns. Longer words are not split. */
    public static String wrap(String text, int columns) {
        StringBuilder lines = new StringBuilder();
        int used = 0;
        for (String word : text.split(" ")) {
            int length = TerminalStyle.width(word);
            boolean fits = used + 1 + length <= columns;
            if (used > 0) {
                lines.append(fits ? " " : "\n");
            }
            lines.append(word);
            used = used > 0 && fits ? used + 1 + length : length;
        }
        return lines.toString();
    }

    /** Cuts a text to at most {@code columns} columns. An ellipsis marks the cut. */
    public static String cut(String text, int columns) {
        int length = text.codePointCount(0, text.length());
        if (length <= columns) {
            return text;
        }
        return text.substring(0, text.offsetByCodePoints(0, Math.max(columns - 1, 0))) + "…";
    }
}
