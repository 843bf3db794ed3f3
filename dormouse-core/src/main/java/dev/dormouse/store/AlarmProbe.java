package dev.dormouse.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a bounded look at the alarms of a range has found.
 *
 * @param due how many of those that were looked at are due and held by nobody
 * @param stoppedAt the last alarm that was looked at, where the look has ended before the range; null where it saw all
 */
public record AlarmProbe(int due, @Nullable Instant stoppedAt) {}
