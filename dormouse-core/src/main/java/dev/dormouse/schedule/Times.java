package dev.dormouse.schedule;

import java.time.LocalTime;
import org.jspecify.annotations.Nullable;

/** The times of a day of a cron expression. No set is empty. */
record Times(Numbers hours, Numbers minutes, Numbers seconds) {

    LocalTime first() {
        return LocalTime.of(hours.first(), minutes.first(), seconds.first());
    }

    /**
     * Returns the first time that is not earlier than {@code time}, a whole second; null if there is none on that day.
     */
    @Nullable
    LocalTime atOrAfter(LocalTime time) {
        if (hours.contains(time.getHour())) {
            LocalTime sameHour = inHour(time);
            if (sameHour != null) {
                return sameHour;
            }
        }
        int hour = hours.atOrAfter(time.getHour() + 1);
        return hour == Numbers.END ? null : LocalTime.of(hour, minutes.first(), seconds.first());
    }

    private @Nullable LocalTime inHour(LocalTime time) {
        if (minutes.contains(time.getMinute())) {
            int second = seconds.atOrAfter(time.getSecond());
            if (second != Numbers.END) {
                return LocalTime.of(time.getHour(), time.getMinute(), second);
            }
        }
        int minute = minutes.atOrAfter(time.getMinute() + 1);
        return minute == Numbers.END ? null : LocalTime.of(time.getHour(), minute, seconds.first());
    }
}
