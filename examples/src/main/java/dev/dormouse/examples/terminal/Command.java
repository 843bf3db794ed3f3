package dev.dormouse.examples.terminal;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.List;

/** A typed command, such as {@code bid ada 120}. */
public record Command(List<String> words) {

    public Command {
        words = List.copyOf(words);
    }

    public String name() {
        return words.get(0);
    }

    /** Returns one of its words; 1 is the first after the name. */
    public String word(int index) {
        if (index >= words.size()) {
            throw new BadCommand("Expected more after '" + name() + "', but there is nothing.");
        }
        return words.get(index);
    }

    public int number(int index) {
        try {
            return Integer.parseInt(word(index));
        } catch (NumberFormatException e) {
            throw new BadCommand("Expected a whole number, but got '" + word(index) + "'.");
        }
    }

    public Duration duration(int index) {
        return durationOf(word(index));
    }

    /** Parses {@code 30s}, {@code 5m}, {@code 2h} and {@code 3d}. */
    static Duration durationOf(String text) {
        try {
            return Duration.parse(text.endsWith("d") ? "P" + text : "PT" + text);
        } catch (DateTimeException e) {
            throw new BadCommand("Expected a duration such as 30s, 5m, 2h or 3d, but got '" + text + "'.");
        }
    }

    /** Returns the error for a command that the example does not have. */
    public BadCommand unknown(String... known) {
        return new BadCommand("Expected one of " + String.join(", ", known) + ", but got '" + name() + "'.");
    }
}
