package dev.dormouse.cli.term;

import dev.dormouse.store.StoreUrl;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Texts of others, made fit for a terminal: what they hold must not move its cursor or change its colours. */
public final class Text {
    /** A URL, up to the blank or quote that ends it. */
    private static final Pattern URL = Pattern.compile("(?:jdbc:|[A-Za-z][A-Za-z0-9+.-]*://)[^\\s'\"]+");

    private Text() {}

    /** Returns the text with passwords in its URLs hidden. */
    public static String withoutPasswords(String text) {
        return URL.matcher(text).replaceAll(url -> Matcher.quoteReplacement(StoreUrl.masked(url.group())));
    }

    /** On one line, with control characters written out. */
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

    /** Broken between words into lines of at most this many columns; a word that is longer stays whole. */
    public static String wrap(String text, int columns) {
        StringBuilder lines = new StringBuilder();
        int used = 0;
        for (String word : text.split(" ")) {
            int length = Style.width(word);
            boolean fits = used + 1 + length <= columns;
            if (used > 0) {
                lines.append(fits ? " " : "\n");
            }
            lines.append(word);
            used = used > 0 && fits ? used + 1 + length : length;
        }
        return lines.toString();
    }

    /** At most this many columns, with an ellipsis where something was cut off. */
    public static String cut(String text, int columns) {
        int length = text.codePointCount(0, text.length());
        if (length <= columns) {
            return text;
        }
        return text.substring(0, text.offsetByCodePoints(0, Math.max(columns - 1, 0))) + "…";
    }
}
