package dev.dormouse.examples.demo;

import java.io.Console;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** Tells the story line by line, each with the seconds since its beginning. In colours only where they can be seen. */
final class Narrator {
    private static final String DIM = "\033[2m";
    private static final String RED = "\033[1;31m";
    private static final String PLAIN = "\033[0m";

    private final PrintStream out;
    private final Instant beginning = Instant.now();
    private final boolean colours = isTerminal() && System.getenv("NO_COLOR") == null;

    Narrator(PrintStream out) {
        this.out = out;
    }

    /** A line without a time. */
    void say(String text) {
        out.println(text);
    }

    void tell(String text) {
        tell(Instant.now(), text);
    }

    void tell(Instant at, String text) {
        out.println(in(DIM, seconds(at)) + "  " + text);
    }

    void tellOfCrash(Instant at, String text) {
        tell(at, in(RED, text));
    }

    /** An instant as it is told, such as {@code   1.5 s}. */
    String seconds(Instant at) {
        return String.format(
                Locale.ROOT, "%5.1f s", Duration.between(beginning, at).toMillis() / 1000.0);
    }

    private String in(String colour, String text) {
        return colours ? colour + text + PLAIN : text;
    }

    @SuppressWarnings("SystemConsoleNull") // what differs between JDKs is looked at
    private static boolean isTerminal() {
        Console console = System.console();
        try {
            return console != null
                    && (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            return true; // before JDK 22 there is a console only where there is a terminal
        }
    }
}
