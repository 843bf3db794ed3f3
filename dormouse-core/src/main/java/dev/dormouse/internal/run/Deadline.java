package dev.dormouse.internal.run;

import java.time.Instant;

/**
 * The earliest instant that the code waits for. {@code RunSession} finds out whether the deadline or a message comes
 * first.
 *
 * @param call the number of the call that waits for it
 * @param timer true for a timer, false for the timeout of a wait for a condition
 */
public record Deadline(Instant at, int call, boolean timer) {}
