package dev.dormouse.postgres.sqltimers;

import dev.dormouse.alarm.AlarmClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Timers that are worked off together: those of a role, or those of the handlers. Knows when the next ones are due, by
 * reading ahead and by what it is told, and from which instant on there can be any at all: what a database keeps of the
 * dead at the head of an index need not be gone through again and again.
 *
 * <p>Thread-safe. What is below the floor is found by a sweep; but whoever sets a timer there tells so.
 */
abstract class Lane {
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private final AlarmClock alarms = new AlarmClock(4 * LookStatement.READ_AHEAD);
    private Instant floor = Instant.EPOCH;
    private Instant heard = Instant.MAX;

    /** Something is due: work it off, on other threads. Asking again while that goes on is harmless. */
    abstract void start();

    /** Takes its part of what was found; tells whether some of it is overdue. */
    abstract boolean read(LookStatement.Found found);

    /** Whether there is any use in looking for it. */
    boolean isServed() {
        return true;
    }

    /** Something is due soon. */
    void warm() {}

    /** Whether something of it is being executed. */
    abstract boolean isBusy();

    void trim() {}

    /** Begins nothing more; what is being executed goes on. */
    abstract void stop();

    abstract void close();

    /** There are timers at this instant, and perhaps after it. Tells whether that is earlier than all it knew of. */
    final synchronized boolean hear(Instant instant) {
        lowerFloor(instant);
        heard = heard.isBefore(instant) ? heard : instant;
        return alarms.hear(instant);
    }

    final synchronized Instant floor() {
        return floor;
    }

    final synchronized void beginReadAhead() {
        heard = Instant.MAX;
        alarms.beginReadAhead();
    }

    /** Takes over what was read, and up to where that is all there is; tells whether some of it is overdue. */
    final synchronized boolean readAhead(LookStatement.Found found, List<Instant> nearest, Instant readUpTo) {
        Instant now = found.now();
        alarms.readAhead(nearest, readUpTo);
        floor = found.complete() ? now.minus(MARGIN) : floor;
        nearest.forEach(this::lowerFloor);
        lowerFloor(heard);
        return nearest.stream().anyMatch(instant -> !instant.isAfter(now));
    }

    /** What was read may begin earlier than what to wait for. */
    final synchronized void keepFloorBelow(Instant instant) {
        lowerFloor(instant);
    }

    private void lowerFloor(Instant instant) {
        Instant below = instant.equals(Instant.MAX) ? floor : instant.minus(MARGIN);
        floor = below.isBefore(floor) ? below : floor;
    }

    /** Whether time has come to what was not read ahead. */
    final boolean mustReadAhead(Instant now) {
        return alarms.mustReadAhead(now);
    }

    final Instant next() {
        return alarms.next();
    }

    /** Starts if something is due; tells whether it did. */
    final boolean startIfDue(Instant now) {
        boolean due = isServed() && !alarms.expire(now).isEmpty();
        if (due) {
            start();
        }
        return due;
    }

    /** Up to where a list is all there is. */
    static Instant readUpTo(List<Instant> nearest) {
        return nearest.size() < LookStatement.READ_AHEAD ? Instant.MAX : nearest.get(nearest.size() - 1);
    }
}
