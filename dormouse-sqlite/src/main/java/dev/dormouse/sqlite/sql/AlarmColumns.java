package dev.dormouse.sqlite.sql;

import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.Alarm;
import org.jspecify.annotations.Nullable;

/** The conversion of an {@link Alarm} to the value of column {@code wake_at}, in microseconds. */
public final class AlarmColumns {
    private AlarmColumns() {}

    /** Returns the alarm's instant, at least the transaction's now; null if the alarm has none. */
    public static @Nullable Long micros(Tx tx, Alarm alarm) {
        if (alarm instanceof Alarm.At at) {
            return Math.max(Micros.of(at.instant()), tx.now());
        }
        if (alarm instanceof Alarm.In in) {
            return Math.max(tx.after(in.delay()), tx.now());
        }
        return null;
    }
}
