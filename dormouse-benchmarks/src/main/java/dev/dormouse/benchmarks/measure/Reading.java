package dev.dormouse.benchmarks.measure;

/**
 * One figure measured in one turn.
 *
 * @param name the name of the result, such as {@code wf1@1000} or {@code lateness-p99}
 */
public record Reading(String name, Unit unit, double value) {}
