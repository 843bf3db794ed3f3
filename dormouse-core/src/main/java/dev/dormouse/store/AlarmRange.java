package dev.dormouse.store;

import java.time.Instant;

/** The alarms of a lane from one instant, inclusive, to another. */
public record AlarmRange(String lane, Instant from, Instant to) {}
