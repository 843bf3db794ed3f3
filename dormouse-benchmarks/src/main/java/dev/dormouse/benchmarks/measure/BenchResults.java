package dev.dormouse.benchmarks.measure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** All readings, by scenario, system and round, in the order in which they came. Not thread-safe. */
public final class BenchResults {
    private final Map<String, Unit> units = new LinkedHashMap<>();
    private final Map<String, Map<String, Map<Integer, Double>>> values = new LinkedHashMap<>();

    public void add(int round, String system, Reading reading) {
        units.put(reading.name(), reading.unit());
        values.computeIfAbsent(reading.name(), name -> new LinkedHashMap<>())
                .computeIfAbsent(system, name -> new TreeMap<>())
                .put(round, reading.value());
    }

    /** Returns the names of all figures in the order in which they came, those per operation last. */
    public List<String> scenarios() {
        return values.keySet().stream()
                .sorted(Comparator.comparing(name -> unit(name).isPerOperation()))
                .toList();
    }

    public Set<String> systems() {
        Set<String> all = new LinkedHashSet<>();
        values.values().forEach(systems -> all.addAll(systems.keySet()));
        return all;
    }

    public Unit unit(String scenario) {
        Unit unit = units.get(scenario);
        if (unit == null) {
            throw new IllegalArgumentException("Expected a scenario that was measured, but got '" + scenario + "'.");
        }
        return unit;
    }

    /** Returns the spread of a system's rounds, if it took part. */
    public Optional<Spread> cell(String scenario, String system) {
        Map<Integer, Double> rounds = rounds(scenario, system);
        return rounds.isEmpty() ? Optional.empty() : Optional.of(Spread.of(List.copyOf(rounds.values())));
    }

    /**
     * Returns how many times better {@code one} was than {@code other}, round by round; empty if no round can be
     * compared.
     */
    public Optional<Spread> advantage(String scenario, String one, String other) {
        Map<Integer, Double> others = rounds(scenario, other);
        List<Double> ratios = new ArrayList<>();
        rounds(scenario, one).forEach((round, value) -> {
            Double beside = others.get(round);
            if (beside != null && unit(scenario).compares(value, beside)) {
                ratios.add(unit(scenario).advantage(value, beside));
            }
        });
        return ratios.isEmpty() ? Optional.empty() : Optional.of(Spread.of(ratios));
    }

    /** Returns the sum of a system's readings in all scenarios whose names end with {@code suffix}. */
    public double sum(String system, String suffix) {
        return values.keySet().stream()
                .filter(scenario -> scenario.endsWith(suffix))
                .flatMap(scenario -> rounds(scenario, system).values().stream())
                .mapToDouble(Double::doubleValue)
                .sum();
    }

    private Map<Integer, Double> rounds(String scenario, String system) {
        return values.getOrDefault(scenario, Map.of()).getOrDefault(system, Map.of());
    }
}
