package dev.dormouse.sqlite;

import dev.dormouse.store.Alarm;
import dev.dormouse.store.Micros;
import org.jspecify.annotations.Nullable;

/** What an {@link Alarm} comes to in microseconds. */
final class Alarms {
    private Alarms() {}

    /** When the alarm is, never below now; null for none. */
    static @Nullable Long micros(Tx tx, Alarm alarm) {
        if (alarm instanceof Alarm.At at) {
            return Math.max(Micros.of(at.instant()), tx.now());
        }
        if (alarm instanceof Alarm.In in) {
            return Math.max(tx.after(in.delay()), tx.now());
        }
        return null;
    }
}
