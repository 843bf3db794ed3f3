package dev.dormouse.cli.base;

import dev.dormouse.cli.process.CommandFailed;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A parser for durations and instants as users type them. */
public final class TimeArguments {
    private static final Pattern PART = Pattern.compile("(\\d{1,12})\\s*(ms|s|min|m|h|d|w)\\s*");

    private TimeArguments() {}

    /** Parses {@code 90s}, {@code 1h30m}, {@code 2d}, or an ISO 8601 duration such as {@code PT90S}. */
    public static Duration duration(String text, String option) {
        try {
            return text.isEmpty() || "Pp-+".indexOf(text.charAt(0)) >= 0 ? Duration.parse(text) : ofParts(text);
        } catch (DateTimeException | ArithmeticException e) {
            throw CommandFailed.usage(
                    "Expected a duration such as 90s, 1h30m, 2d or PT90S for " + option + ", but got '" + text + "'.");
        }
    }

    private static Duration ofParts(String text) {
        Matcher matcher = PART.matcher(text);
        Duration sum = Duration.ZERO;
        int end = 0;
        while (matcher.find() && matcher.start() == end) {
            sum = sum.plus(of(Long.parseLong(matcher.group(1)), matcher.group(2)));
            end = matcher.end();
        }
        if (end != text.length()) {
            throw new DateTimeException("not a duration");
        }
        return sum;
    }

    private static Duration of(long amount, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "h" -> Duration.ofHours(amount);
            case "d" -> Duration.ofDays(amount);
            case "w" -> Duration.ofDays(Math.multiplyExact(amount, 7L));
            default -> Duration.ofMinutes(amount);
        };
    }

    /** Parses a duration and returns it in ISO 8601 form, or null if {@code text} is null. */
    public static @Nullable String iso(@Nullable String text, String option) {
        return text == null ? null : duration(text, option).toString();
    }

    /** Parses an instant and returns it in ISO 8601 form, or null if {@code text} is null. */
    public static @Nullable String iso(@Nullable String text, String option, ZoneId zone) {
        return text == null ? null : instant(text, option, zone).toString();
    }

    /** Parses an instant such as {@code 2026-12-24T18:00:00Z}. Without an offset it is local time in {@code zone}. */
    public static Instant instant(String text, String option, ZoneId zone) {
        String iso = text.replaceFirst("^(\\d{4}-\\d{2}-\\d{2}) (?=\\d)", "$1T");
        try {
            return iso.matches(".*(?:[Zz]|[+-]\\d{2}(?::?\\d{2})?)$") && iso.contains("T")
                    ? OffsetDateTime.parse(iso).toInstant()
                    : LocalDateTime.parse(iso).atZone(zone).toInstant();
        } catch (DateTimeException e) {
            throw CommandFailed.usage(
                    "Expected an instant such as 2026-12-24T18:00:00Z, or 2026-12-24T18:00 in the time zone " + zone
                            + ", for " + option + ", but got '" + text + "'.");
        }
    }
}
