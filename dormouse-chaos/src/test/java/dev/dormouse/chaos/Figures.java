package dev.dormouse.chaos;

import java.util.Locale;

/** Prints what was measured. */
final class Figures {
    private Figures() {}

    @SuppressWarnings("SystemOut")
    static void report(String format, Object... values) {
        System.out.println("measured: " + String.format(Locale.ROOT, format, values));
    }

    static String of(long nanos) {
        return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
    }
}
