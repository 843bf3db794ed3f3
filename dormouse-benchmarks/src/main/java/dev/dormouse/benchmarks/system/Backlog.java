package dev.dormouse.benchmarks.system;

/** Timers that can be set before anybody fires them. */
public interface Backlog extends Timers {}
