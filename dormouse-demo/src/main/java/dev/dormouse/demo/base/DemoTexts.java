package dev.dormouse.demo.base;

import java.time.Duration;
import java.util.Locale;

/** Formats for numbers and durations. */
public final class DemoTexts {
    private DemoTexts() {}

    /** Formats seconds, such as {@code 2.9 s}. */
    static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
    }

    public static String seconds(Duration duration) {
        return seconds(duration.toMillis());
    }

    /** Formats a remaining time briefly: {@code 2.9 s}, or {@code 3.0 d} for a deadline that was moved. */
    public static String left(Duration duration) {
        double minutes = duration.toMillis() / 60_000.0;
        if (minutes < 2) {
            return seconds(duration);
        } else if (minutes < 120) {
            return String.format(Locale.ROOT, "%.1f m", minutes);
        }
        double hours = minutes / 60;
        return String.format(Locale.ROOT, hours < 48 ? "%.1f h" : "%.1f d", hours < 48 ? hours : hours / 24);
    }

    /** Formats a count, such as {@code 1 step} or {@code 3 steps}. */
    public static String count(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
