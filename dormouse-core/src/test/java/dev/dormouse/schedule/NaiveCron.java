package dev.dormouse.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/** A second implementation of the {@link Cron} rules, as slow and simple as possible: it examines each local time. */
final class NaiveCron {
    private static final String[] MONTHS = {
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"
    };
    private static final String[] WEEKDAYS = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};

    private final boolean hasSeconds;
    private final String[] fields;
    private final List<Set<Integer>> values;

    NaiveCron(String expression) {
        String[] written = expression.toLowerCase(Locale.ROOT).split(" ");
        hasSeconds = written.length == 6;
        fields = hasSeconds ? written : ("0 " + String.join(" ", written)).split(" ");
        values = List.of(
                values(fields[0], 0, 59),
                values(fields[1], 0, 59),
                values(fields[2], 0, 23),
                values(fields[3], 1, 31),
                values(named(fields[4], MONTHS, 1), 1, 12),
                values(named(fields[5], WEEKDAYS, 0), 0, 6));
    }

    private static String named(String field, String[] names, int first) {
        String text = field;
        for (int i = 0; i < names.length; i++) {
            text = text.replace(names[i], String.valueOf(first + i));
        }
        return text;
    }

    private static Set<Integer> values(String field, int first, int last) {
        Set<Integer> values = new TreeSet<>();
        for (String part : field.replace("?", "*").split(",", -1)) {
            if (!part.equals("l")) {
                addPart(values, part, first, last);
            }
        }
        return values;
    }

    /**
     * Adds the values from {@code first} to {@code last}, wrapping around the field if necessary, with the step of the
     * part.
     */
    private static void addPart(Set<Integer> values, String part, int first, int last) {
        String[] halves = part.split("/", -1);
        String range = halves[0].equals("*") ? first + "-" + last : halves[0];
        String[] ends = range.split("-", -1);
        boolean isOpen = ends.length == 1 && halves.length == 2;
        int step = halves.length == 2 ? Integer.parseInt(halves[1]) : 1;
        int from = Integer.parseInt(ends[0]);
        int to = isOpen ? last : Integer.parseInt(ends[ends.length - 1]);
        boolean isWholeWeek = last == 6 && from == 0 && to == 7;
        int sunday = last == 6 ? 7 : -1;
        int value = from == sunday ? 0 : from;
        int end = to == sunday ? 0 : to;
        int passed = 0;
        while (true) {
            if (passed % step == 0) {
                values.add(value);
            }
            if (value == end && (!isWholeWeek || passed > 0)) {
                return;
            }
            value = value == last ? first : value + 1;
            passed++;
        }
    }

    boolean hasFixedHours() {
        return fields[2].charAt(0) != '*';
    }

    boolean matches(LocalDateTime time) {
        return values.get(1).contains(time.getMinute())
                && values.get(2).contains(time.getHour())
                && values.get(0).contains(time.getSecond())
                && matchesDay(time);
    }

    boolean matchesDay(LocalDateTime time) {
        boolean isLast = time.plusDays(1).getDayOfMonth() == 1;
        boolean isLastMeant = List.of(fields[3].split(",", -1)).contains("l");
        boolean date = values.get(3).contains(time.getDayOfMonth()) || (isLast && isLastMeant);
        boolean weekday = values.get(5).contains(time.getDayOfWeek().getValue() % 7);
        boolean isOneOpen = "*?".indexOf(fields[3].charAt(0)) >= 0 || "*?".indexOf(fields[5].charAt(0)) >= 0;
        return values.get(4).contains(time.getMonthValue()) && (isOneOpen ? date && weekday : date || weekday);
    }

    /**
     * Returns all instants after {@code after} up to {@code to}, for zones whose clocks are not changed by more than
     * {@code marginHours} near them.
     */
    NavigableSet<Instant> between(ZoneId zone, Instant after, Instant to, int marginHours) {
        TreeSet<Instant> found = new TreeSet<>();
        LocalDateTime end = LocalDateTime.ofInstant(to, zone).plusHours(marginHours);
        ChronoUnit step = hasSeconds ? ChronoUnit.SECONDS : ChronoUnit.MINUTES;
        LocalDateTime time =
                LocalDateTime.ofInstant(after, zone).minusHours(marginHours).truncatedTo(ChronoUnit.MINUTES);
        for (; !time.isAfter(end); time = time.plus(1, step)) {
            if (matches(time)) {
                found.addAll(instants(time, zone));
            }
        }
        return found.subSet(after, false, to, true);
    }

    /**
     * Returns the instants of a local time. Java moves a skipped time by the length of the gap, and takes the first of
     * two.
     */
    private List<Instant> instants(LocalDateTime time, ZoneId zone) {
        List<ZoneOffset> offsets = zone.getRules().getValidOffsets(time);
        return hasFixedHours()
                ? List.of(time.atZone(zone).toInstant())
                : offsets.stream().map(time::toInstant).toList();
    }
}
