package dev.dormouse.cli.term;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** A format for instants, relative to now or in the local time zone. */
public final class TimeFormat {

    /** The form of instants in tables. */
    public enum Form {
        RELATIVE,
        ABSOLUTE,
        BOTH
    }

    private static final DateTimeFormatter ABSOLUTE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss zzz", Locale.ROOT);
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
    private static final DateTimeFormatter FINE = DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("MM-dd HH:mm", Locale.ROOT);

    private final InstantSource clock;
    private final ZoneId zone;
    private final Form form;

    TimeFormat(InstantSource clock, ZoneId zone, Form form) {
        this.clock = clock;
        this.zone = zone;
        this.form = form;
    }

    public Instant now() {
        return clock.instant();
    }

    /** Formats an instant for a table cell. */
    public String cell(Instant instant) {
        return switch (form) {
            case RELATIVE -> relative(instant);
            case ABSOLUTE -> absolute(instant);
            case BOTH -> both(instant);
        };
    }

    public String both(Instant instant) {
        return absolute(instant) + " (" + relative(instant) + ")";
    }

    public String absolute(Instant instant) {
        return ABSOLUTE.withZone(zone).format(instant);
    }

    /** Formats an instant for an axis, as short as the {@code span} of the axis allows. */
    String tick(Instant instant, Duration span) {
        DateTimeFormatter formatter = span.compareTo(Duration.ofSeconds(10)) < 0
                ? FINE
                : span.compareTo(Duration.ofHours(20)) < 0 ? CLOCK : DAY;
        return formatter.withZone(zone).format(instant);
    }

    /** Formats an instant with milliseconds. */
    String fineTick(Instant instant) {
        return FINE.withZone(zone).format(instant);
    }

    String zoneName() {
        return DateTimeFormatter.ofPattern("zzz", Locale.ROOT).withZone(zone).format(now());
    }

    public String relative(Instant instant) {
        Duration away = Duration.between(now(), instant);
        if (away.abs().compareTo(Duration.ofSeconds(1)) < 0) {
            return "now";
        }
        Duration whole = away.abs().truncatedTo(ChronoUnit.SECONDS);
        return away.isNegative() ? span(whole) + " ago" : "in " + span(whole);
    }

    /** Formats a duration by its two largest units. */
    public static String span(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < 1) {
            return duration.toMillis() + " ms";
        }
        if (seconds < 10 && duration.toMillisPart() >= 50) {
            return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
        }
        long[] amounts = {seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60};
        String[] units = {" d", " h", " min", " s"};
        int first = 0;
        while (amounts[first] == 0) {
            first++;
        }
        String text = amounts[first] + units[first];
        boolean isCoarse = first == 0 && amounts[0] >= 100 || first == units.length - 1;
        return isCoarse || amounts[first + 1] == 0 ? text : text + " " + amounts[first + 1] + units[first + 1];
    }
}
