package dev.dormouse.cli.term;

import dev.dormouse.cli.process.Environment;
import java.util.Locale;

/** The colors and characters that the terminal supports. */
public final class TerminalStyle {
    private static final String RESET = "\u001b[0m";

    private final boolean isColored;
    private final boolean isAscii;

    private TerminalStyle(boolean isColored, boolean isAscii) {
        this.isColored = isColored;
        this.isAscii = isAscii;
    }

    /** Creates a style without colors in a pipe, if {@code NO_COLOR} is set, and on a dumb terminal. */
    static TerminalStyle of(Environment environment) {
        boolean isColored = environment.isTerminal()
                && environment.variable("NO_COLOR").isEmpty()
                && !environment.variable("TERM").orElse("").equals("dumb");
        return new TerminalStyle(isColored, isAscii(environment));
    }

    /** Returns true if the locale is set and not UTF-8. Containers often have no locale, but a UTF-8 terminal. */
    private static boolean isAscii(Environment environment) {
        String locale = environment
                .variable("LC_ALL")
                .or(() -> environment.variable("LC_CTYPE"))
                .or(() -> environment.variable("LANG"))
                .orElse("UTF-8")
                .toUpperCase(Locale.ROOT);
        return !locale.contains("UTF-8") && !locale.contains("UTF8");
    }

    boolean isAscii() {
        return isAscii;
    }

    /** Returns a character, or its ASCII replacement if the terminal cannot show it. */
    public String symbol(String unicode, String ascii) {
        return isAscii ? ascii : unicode;
    }

    public String bold(String text) {
        return in("1", text);
    }

    public String dim(String text) {
        return in("2", text);
    }

    public String red(String text) {
        return in("31", text);
    }

    public String green(String text) {
        return in("32", text);
    }

    public String yellow(String text) {
        return in("33", text);
    }

    public String blue(String text) {
        return in("34", text);
    }

    /** Returns a status in its color. */
    public String status(String status) {
        return switch (status) {
            case "COMPLETED", "FIRED", "alive", "active" -> green(status);
            case "FAILED", "TIMED_OUT", "TERMINATED", "gone" -> red(status);
            case "STUCK", "CANCELLED", "paused", "silent" -> yellow(status);
            case "WAITING", "PARKED", "PENDING" -> blue(status);
            default -> status;
        };
    }

    private String in(String code, String text) {
        return isColored && !text.isEmpty() ? "\u001b[" + code + "m" + text + RESET : text;
    }

    /** Returns the number of columns of a text. Color codes take none. */
    static int width(String text) {
        String plain = text.indexOf('\u001b') < 0 ? text : text.replaceAll("\u001b\\[[0-9;]*m", "");
        return plain.codePointCount(0, plain.length());
    }
}
