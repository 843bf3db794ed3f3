package dev.dormouse.benchmarks.scenario;

/** The duration of a turn, which determines how often it is repeated. */
public enum TurnLength {
    /** As often as possible: the most requested figures, whose turn takes seconds. */
    BRIEF,
    /** Less often: a turn takes up to a minute, or the figure is a side issue. */
    LONG,
    /** Once: the turn takes very long, or its result hardly varies. */
    ONCE
}
