package dev.dormouse.benchmarks.measure;

/**
 * One figure that one turn has measured.
 *
 * @param name what the result is listed under, such as {@code wf1@1000} or {@code lateness-p99}
 */
public record Reading(String name, Unit unit, double value) {}
