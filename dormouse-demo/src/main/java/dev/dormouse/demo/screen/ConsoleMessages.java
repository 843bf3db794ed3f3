package dev.dormouse.demo.screen;

import dev.dormouse.demo.run.DemoMessages;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** A printer of messages, line by line, each with the seconds since the beginning. Uses colors only on a terminal. */
public final class ConsoleMessages implements DemoMessages {
    private static final String DIM = "\033[2m";
    private static final String GREEN = "\033[32m";
    private static final String RED = "\033[1;31m";
    private static final String PLAIN = "\033[0m";

    private final PrintStream out;
    private final Instant beginning = Instant.now();
    private final boolean colors = RawTerminal.isThere() && System.getenv("NO_COLOR") == null;

    public ConsoleMessages(PrintStream out) {
        this.out = out;
    }

    /** Prints a line without a time. */
    public void say(String text) {
        out.println(text);
    }

    @Override
    public void tell(Tone tone, String text) {
        String colored = switch (tone) {
            case PLAIN -> text;
            case DEATH -> in(RED, text);
            case RECOVERY -> in(GREEN, text);
        };
        out.println(in(DIM, seconds(Instant.now())) + "  " + colored);
    }

    /** Formats an instant, such as {@code   1.5 s}. */
    private String seconds(Instant at) {
        return String.format(
                Locale.ROOT, "%5.1f s", Duration.between(beginning, at).toMillis() / 1000.0);
    }

    private String in(String color, String text) {
        return colors ? color + text + PLAIN : text;
    }
}
