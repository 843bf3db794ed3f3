package dev.dormouse.benchmarks.scenario;

/** How long a turn takes, which is to say how often it can be repeated. */
public enum Length {
    /** Seconds. */
    BRIEF,
    /** Up to a minute. */
    LONG,
    /** So long, or so sure, that one turn must do. */
    ONCE
}
