package dev.dormouse.benchmarks.system;

/** A timer engine whose timers can be set before any node fires them. */
public interface BacklogTimerEngine extends TimerEngine {}
