package dev.dormouse.benchmarks.measure;

import java.util.List;

/** The median and the range of several rounds. */
public record Spread(double median, double min, double max, int runs) {

    public static Spread of(List<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("Expected at least one value, but got none.");
        }
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return new Spread(middle(sorted), sorted[0], sorted[sorted.length - 1], sorted.length);
    }

    private static double middle(double[] sorted) {
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }
}
