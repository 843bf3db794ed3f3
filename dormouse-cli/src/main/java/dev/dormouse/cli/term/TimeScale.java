package dev.dormouse.cli.term;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A map from instants to columns. It is linear unless short periods would vanish beside long ones, such as a step of
 * milliseconds beside a sleep of days. Then the columns between two instants grow with the logarithm of the duration,
 * so that every event is visible and in order.
 */
final class TimeScale {
    private final long[] nanos;
    private final double[] places;
    private final Instant first;
    private final int columns;
    private final boolean isLinear;

    private TimeScale(Instant first, long[] nanos, int columns) {
        this.first = first;
        this.nanos = nanos;
        this.columns = columns;
        double[] linear = places(nanos, false);
        this.isLinear = fits(linear);
        this.places = isLinear ? linear : places(nanos, true);
    }

    /** @param instants at least one */
    static TimeScale of(Stream<Instant> instants, int columns) {
        List<Instant> sorted = instants.distinct().sorted().toList();
        Instant first = sorted.get(0);
        long[] nanos = sorted.stream()
                .mapToLong(instant -> nanos(Duration.between(first, instant)))
                .toArray();
        return new TimeScale(first, nanos, columns);
    }

    private static long nanos(Duration duration) {
        return duration.compareTo(Duration.ofDays(100_000)) > 0 ? Long.MAX_VALUE : duration.toNanos();
    }

    private double[] places(long[] of, boolean byDigits) {
        double[] sums = new double[of.length];
        for (int i = 1; i < of.length; i++) {
            long gap = of[i] - of[i - 1];
            sums[i] = sums[i - 1] + (byDigits ? Math.log10(1 + gap / 100_000.0) + 0.2 : gap);
        }
        double all = Math.max(sums[of.length - 1], 1);
        return Arrays.stream(sums).map(sum -> sum / all * (columns - 1)).toArray();
    }

    /** Returns true if at least half of the neighbors are half a column or more apart. */
    private boolean fits(double[] of) {
        int close = 0;
        for (int i = 1; i < of.length; i++) {
            close += of[i] - of[i - 1] < 0.5 ? 1 : 0;
        }
        return close * 2 <= of.length - 1;
    }

    boolean isLinear() {
        return isLinear;
    }

    int columns() {
        return columns;
    }

    Duration span() {
        return Duration.ofNanos(nanos[nanos.length - 1]);
    }

    int column(Instant instant) {
        long at = Math.max(nanos(Duration.between(first, instant)), 0);
        int index = Arrays.binarySearch(nanos, at);
        return (int) Math.round(index >= 0 ? places[index] : between(at, -index - 1));
    }

    private double between(long at, int next) {
        if (next >= nanos.length) {
            return columns - 1;
        }
        double share = (double) (at - nanos[next - 1]) / (nanos[next] - nanos[next - 1]);
        return places[next - 1] + share * (places[next] - places[next - 1]);
    }

    /** Returns the instant at a column, for the axis. */
    Instant at(int column) {
        for (int i = 1; i < places.length; i++) {
            if (places[i] >= column && places[i] > places[i - 1]) {
                double share = Math.max((column - places[i - 1]) / (places[i] - places[i - 1]), 0);
                return first.plusNanos(nanos[i - 1] + (long) (share * (nanos[i] - nanos[i - 1])));
            }
        }
        return first.plusNanos(nanos[nanos.length - 1]);
    }
}
