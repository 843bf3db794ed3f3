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

    /** A time to come, in few letters: {@code 2.9 s}, or {@code 3.0 d} for a deadline that somebody has moved. */
    static String left(Duration duration) {
        double minutes = duration.toMillis() / 60_000.0;
        if (minutes < 2) {
            return seconds(duration);
        } else if (minutes < 120) {
            return String.format(Locale.ROOT, "%.1f m", minutes);
        }
        double hours = minutes / 60;
        return String.format(Locale.ROOT, hours < 48 ? "%.1f h" : "%.1f d", hours < 48 ? hours : hours / 24);
    }

    /** Such as {@code 1 step} or {@code 3 steps}. */
    static String count(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
