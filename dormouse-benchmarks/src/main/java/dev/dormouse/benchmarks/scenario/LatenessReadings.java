package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.measure.Percentiles;
import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.measure.ResourceUsage;
import dev.dormouse.benchmarks.measure.Unit;
import java.util.List;

/** Readings of lateness in milliseconds, and of the number of early firings, which must be zero. */
final class LatenessReadings {
    private LatenessReadings() {}

    static List<Reading> of(String name, List<Double> millis) {
        Percentiles late = new Percentiles(millis);
        long early = millis.stream().filter(value -> value < 0).count();
        return of(name, late.at(50), late.at(99), late.max(), early);
    }

    static List<Reading> of(String name, double p50, double p99, double max, long early) {
        return List.of(
                new Reading(name + "-p50", Unit.MILLIS, p50),
                new Reading(name + "-p99", Unit.MILLIS, p99),
                new Reading(name + "-max", Unit.MILLIS, max),
                new Reading(name + "-early", Unit.COUNT, early));
    }

    static List<String> names(String name) {
        return Lists.joined(
                List.of(name, name + "-p50", name + "-p99", name + "-max", name + "-early"), ResourceUsage.names(name));
    }
}
