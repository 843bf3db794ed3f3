package dev.dormouse.postgres.sql;

import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.Alarm;

/** An {@link Alarm} as two columns of a batch: its kind, and its instant or delay in microseconds. */
public final class AlarmColumns {
    static final int KEEP = 0;
    static final int NONE = 1;
    static final int AT = 2;
    static final int IN = 3;

    private AlarmColumns() {}

    public static int kind(Alarm alarm) {
        if (alarm instanceof Alarm.At) {
            return AT;
        }
        if (alarm instanceof Alarm.In) {
            return IN;
        }
        return alarm instanceof Alarm.None ? NONE : KEEP;
    }

    public static long value(Alarm alarm) {
        if (alarm instanceof Alarm.At at) {
            return Micros.of(at.instant());
        }
        return alarm instanceof Alarm.In in ? Math.max(0, Micros.of(in.delay())) : 0;
    }
}
