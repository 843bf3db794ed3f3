package dev.dormouse.benchmarks.report;

import java.util.Locale;

/** Numbers with three digits that matter, or all before the point. */
public final class Numbers {
    private Numbers() {}

    public static String text(double value) {
        double size = Math.abs(value);
        String form = size >= 100 || value == Math.rint(value) ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, form, value);
    }
}
