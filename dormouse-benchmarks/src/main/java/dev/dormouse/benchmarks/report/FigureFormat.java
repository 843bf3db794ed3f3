package dev.dormouse.benchmarks.report;

import java.util.Locale;

/** A number format with three significant digits, or all digits before the point. */
public final class FigureFormat {
    private FigureFormat() {}

    public static String text(double value) {
        double size = Math.abs(value);
        if (size >= 100 || value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        int digits = size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.1 ? 3 : 4;
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
