package dev.dormouse.postgres.sqltimers;

import dev.dormouse.internal.engine.time.AlarmClock;
import dev.dormouse.internal.engine.time.ReadAhead;
import dev.dormouse.internal.engine.time.ScanFloor;
import java.time.Instant;

/**
 * Timers that are processed together: those of a role, or those of the handlers. Knows when the next timers are due, by
 * reading ahead and by notifications, and the {@link ScanFloor} below which there are none.
 *
 * <p>Concurrency: thread-safe. {@code floor} and {@code heard} are guarded by the lock of this object. Timers that
 * become visible below the floor are found by a sweep, or by the notification that a scheduler of such a timer sends.
 */
abstract class TimerLane {
    private final AlarmClock alarms = new AlarmClock(4 * ReadAheadStatement.READ_AHEAD);
    private final ScanFloor floor = new ScanFloor();
    private Instant heard = Instant.MAX;

    /** Processes due timers on other threads. Calling it again meanwhile is harmless. */
    abstract void start();

    /** Takes this lane's part of the findings. Returns true if some of it is overdue. */
    abstract boolean read(ReadAheadStatement.Found found);

    /** Returns false if this lane cannot run now, so that looking for its timers is useless. */
    boolean isServed() {
        return true;
    }

    /** Called when a timer is due soon. */
    void warm() {}

    /** Returns true while a timer of this lane executes. */
    abstract boolean isBusy();

    void trim() {}

    /** Starts nothing more; running timers continue. */
    abstract void stop();

    abstract void close();

    /**
     * Records that there are timers at this instant, and perhaps later. Returns true if it is earlier than all known
     * ones.
     */
    final synchronized boolean hear(Instant instant) {
        floor.lowerTo(instant);
        heard = heard.isBefore(instant) ? heard : instant;
        return alarms.hear(instant);
    }

    final synchronized Instant floor() {
        return floor.get();
    }

    final synchronized void beginReadAhead() {
        heard = Instant.MAX;
        alarms.beginReadAhead();
    }

    /** Takes over the nearest instants of this lane. Returns true if some are overdue. */
    final synchronized boolean readAhead(ReadAheadStatement.Found found, ReadAhead ahead) {
        Instant now = found.now();
        alarms.readAhead(ahead.nearest(), ahead.readUpTo());
        if (found.complete()) {
            floor.moveTo(now);
        }
        ahead.nearest().forEach(floor::lowerTo);
        floor.lowerTo(heard);
        return ahead.nearest().stream().anyMatch(instant -> !instant.isAfter(now));
    }

    /** Lowers the floor below {@code instant}: findings may start earlier than the next alarm. */
    final synchronized void keepFloorBelow(Instant instant) {
        floor.lowerTo(instant);
    }

    /** Returns true if {@code now} has reached the end of what was read ahead. */
    final boolean mustReadAhead(Instant now) {
        return alarms.mustReadAhead(now);
    }

    final Instant next() {
        return alarms.next();
    }

    /** Starts if a timer is due. Returns true if it did. */
    final boolean startIfDue(Instant now) {
        boolean due = isServed() && !alarms.expire(now).isEmpty();
        if (due) {
            start();
        }
        return due;
    }
}
