package dev.dormouse.schedule;

import java.util.List;
import java.util.Locale;

/** The fields of a cron expression, in the order in which they are written. */
enum Field {
    SECOND("second", 0, 60, ""),
    MINUTE("minute", 0, 60, ""),
    HOUR("hour", 0, 24, ""),
    DAY_OF_MONTH("day-of-month", 1, 31, ""),
    MONTH("month", 1, 12, "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC"),
    DAY_OF_WEEK("day-of-week", 0, 7, "SUN MON TUE WED THU FRI SAT");

    final String label;
    final int first;

    /** The number of values before they repeat. */
    final int size;

    private final String names;

    Field(String label, int first, int size, String names) {
        this.label = label;
        this.first = first;
        this.size = size;
        this.names = names;
    }

    int last() {
        return first + size - 1;
    }

    /** Returns the largest number that may be written. */
    int largest() {
        return this == DAY_OF_WEEK ? last() + 1 : last();
    }

    /** Returns the value of a number that continues beyond the last value. */
    int wrapped(int number) {
        return first + (number - first) % size;
    }

    /** Returns the value of a name; less than the first value if there is none. */
    int named(String name) {
        return first + List.of(names.split(" ")).indexOf(name.toUpperCase(Locale.ROOT));
    }

    boolean isDay() {
        return this == DAY_OF_MONTH || this == DAY_OF_WEEK;
    }

    /** Returns the values that may be written, for messages. */
    String range() {
        String numbers = first + " to " + largest();
        return names.isEmpty() ? numbers : numbers + " or " + names.replaceFirst(" .* ", " to ");
    }
}
