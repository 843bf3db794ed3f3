package dev.dormouse.schedule;

import java.time.LocalDate;
import java.time.Month;
import java.time.YearMonth;
import org.jspecify.annotations.Nullable;

/**
 * The days of a cron expression. No set is empty.
 *
 * @param dates days of the month, with {@link #LAST} for the last one
 * @param weekdays days of the week, from 0 (Sunday) to 6
 * @param isEither true if a date or a weekday is enough; if false, a day must match both
 */
record Days(Numbers dates, Numbers months, Numbers weekdays, boolean isEither) {
    /** The number for the last day of a month. No other day has it. */
    static final int LAST = 0;

    /** The number of weeks that a month can touch. */
    private static final int WEEKS = 6;

    /**
     * Returns true if there is such a day in any year. Weekdays do not matter for that: each date, including 29
     * February, falls on each of them in some year.
     */
    boolean everCome() {
        if (isEither || dates.contains(LAST)) {
            return true;
        }
        for (Month month : Month.values()) {
            if (months.contains(month.getValue()) && dates.first() <= month.maxLength()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the first matching day from {@code from}; null if there is none up to the end of the month of {@code to}.
     */
    @Nullable
    LocalDate first(LocalDate from, LocalDate to) {
        YearMonth last = YearMonth.from(to);
        int earliest = from.getDayOfMonth();
        for (YearMonth month = YearMonth.from(from); !month.isAfter(last); month = month.plusMonths(1)) {
            int day = months.contains(month.getMonthValue()) ? in(month).atOrAfter(earliest) : Numbers.END;
            if (day != Numbers.END) {
                return month.atDay(day);
            }
            earliest = 1;
        }
        return null;
    }

    private Numbers in(YearMonth month) {
        int length = month.lengthOfMonth();
        long whole = (2L << length) - 2;
        long byDate = dates.contains(LAST) ? dates.bits() | 1L << length : dates.bits();
        int firstWeekday = month.atDay(1).getDayOfWeek().getValue() % 7;
        long byWeekday = (weeks() >>> firstWeekday) << 1;
        return new Numbers(whole & (isEither ? byDate | byWeekday : byDate & byWeekday));
    }

    /** Returns the weekdays of {@link #WEEKS} consecutive weeks as bits. Bit 0 is the first Sunday. */
    private long weeks() {
        long all = 0;
        for (int week = 0; week < WEEKS; week++) {
            all |= weekdays.bits() << (7 * week);
        }
        return all;
    }
}
