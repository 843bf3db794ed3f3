package dev.dormouse.benchmarks.scenario;

/** How often a turn is repeated where time is short. */
public enum Length {
    /** As often as possible: what everybody asks for, and a turn takes seconds. */
    BRIEF,
    /** Less often: a turn takes up to a minute, or the figure is a side issue. */
    LONG,
    /** So long, or so sure, that one turn must do. */
    ONCE
}
