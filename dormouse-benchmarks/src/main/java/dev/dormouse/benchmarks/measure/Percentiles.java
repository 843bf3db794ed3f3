package dev.dormouse.benchmarks.measure;

import java.util.Collection;

/** The sorted values of one turn. */
public final class Percentiles {
    private final double[] sorted;

    public Percentiles(Collection<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("Expected at least one value, but got none.");
        }
        this.sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }

    /** Returns the smallest value that {@code percent} percent of all values do not exceed. */
    public double at(int percent) {
        int rank = (int) Math.ceil(percent / 100.0 * sorted.length);
        return sorted[Math.max(rank, 1) - 1];
    }

    public double max() {
        return sorted[sorted.length - 1];
    }
}
