package dev.dormouse.benchmarks.system;

/** Workflows of several steps, each stored before the next one begins. */
public interface StepEngine extends WorkflowEngine {}
