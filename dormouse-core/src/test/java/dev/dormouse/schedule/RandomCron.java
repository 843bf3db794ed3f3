package dev.dormouse.schedule;

import java.util.Locale;
import java.util.Random;

/** A generator of random expressions that uses the whole syntax. */
final class RandomCron {
    private static final String[] MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ");
    private static final String[] WEEKDAYS = "SUN MON TUE WED THU FRI SAT SUN".split(" ");

    private final Random random;

    RandomCron(Random random) {
        this.random = random;
    }

    String withMinutes() {
        return field(0, 59, 0.3, null) + " " + field(0, 23, 0.4, null) + " " + days(0.6);
    }

    String withSeconds() {
        return field(0, 59, 0.2, null) + " " + withMinutes();
    }

    /** Returns random day-of-month, month and day-of-week fields. */
    String days(double openShare) {
        return dates(openShare) + " " + field(1, 12, openShare, MONTHS) + " " + weekdays(openShare);
    }

    private String dates(double openShare) {
        return switch (random.nextInt(8)) {
            case 0 -> "L";
            case 1 -> "?";
            case 2 -> field(1, 31, 0, null) + ",l";
            default -> field(1, 31, openShare, null);
        };
    }

    private String weekdays(double openShare) {
        return random.nextInt(8) == 0 ? "?" : field(0, 7, openShare, WEEKDAYS);
    }

    private String field(int first, int last, double openShare, String[] names) {
        if (random.nextDouble() < openShare) {
            return "*";
        }
        StringBuilder text = new StringBuilder(part(first, last, names));
        for (int more = random.nextInt(3); more > 0; more--) {
            text.append(',').append(part(first, last, names));
        }
        return text.toString();
    }

    private String part(int first, int last, String[] names) {
        int step = 1 + random.nextInt(names == WEEKDAYS ? 7 : last - first + 1);
        return switch (random.nextInt(6)) {
            case 0 -> "*/" + step;
            case 1 -> value(first, last, names) + "-" + value(first, last, names);
            case 2 -> value(first, last, names) + "-" + value(first, last, names) + "/" + step;
            case 3 -> value(first, last, names) + "/" + step;
            default -> value(first, last, names);
        };
    }

    private String value(int first, int last, String[] names) {
        int value = first + random.nextInt(last - first + 1);
        if (names == null || random.nextBoolean()) {
            return random.nextInt(10) == 0 ? "0" + value : String.valueOf(value);
        }
        String name = names[value - first];
        return random.nextBoolean() ? name : name.toLowerCase(Locale.ROOT);
    }
}
