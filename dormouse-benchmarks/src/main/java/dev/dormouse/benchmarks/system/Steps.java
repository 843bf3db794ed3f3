package dev.dormouse.benchmarks.system;

/** Runs workflows of several steps, each of which is kept before the next one begins. */
public interface Steps extends Workflows {}
