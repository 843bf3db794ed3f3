package dev.dormouse.examples.demo;

import java.time.Duration;
import java.util.Locale;

/** Numbers and their nouns. */
final class Texts {
    private Texts() {}

    /** Such as {@code 2.9 s}. */
    static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
    }

    static String seconds(Duration duration) {
        return seconds(duration.toMillis());
    }

    /** Such as {@code 1 step} or {@code 3 steps}. */
    static String count(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
