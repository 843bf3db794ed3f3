package dev.dormouse.chaos.cluster;

import java.util.Arrays;
import java.util.Locale;

/** Prints measurements. */
public final class Measurements {
    private Measurements() {}

    @SuppressWarnings("SystemOut")
    public static void report(String format, Object... values) {
        System.out.println("measured: " + String.format(Locale.ROOT, format, values));
    }

    /**
     * Prints percentiles of lateness.
     *
     * @param what such as {@code 1,000 sleeps end}
     */
    public static void reportLateness(String what, long[] nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        report(
                "%s late by p50 %s, p99 %s, at most %s",
                what,
                of(sorted[sorted.length / 2]),
                of(sorted[sorted.length * 99 / 100]),
                of(sorted[sorted.length - 1]));
    }

    public static String of(long nanos) {
        return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
    }
}
