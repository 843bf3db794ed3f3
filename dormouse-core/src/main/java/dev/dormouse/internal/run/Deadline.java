package dev.dormouse.internal.run;

import java.time.Instant;

/**
 * The earliest instant that the code waits for.
 *
 * @param call which call waits for it
 * @param timer whether it is a timer, otherwise the end of a wait for a condition
 */
public record Deadline(Instant at, int call, boolean timer) {}
