package dev.dormouse.store.page;

import java.time.Instant;

/** A range of alarms in one lane, from {@code from} (inclusive) to {@code to} (exclusive). */
public record AlarmRange(String lane, Instant from, Instant to) {}
