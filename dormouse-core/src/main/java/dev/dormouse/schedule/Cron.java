package dev.dormouse.schedule;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * A cron expression, which defines local times. {@link #inZone} converts them to instants. Immutable and thread-safe. Two
 * expressions are equal if they are written alike, except for the number of spaces.
 *
 * <p>It has five fields, or six with the second first. Without that field, the second is 0.
 *
 * <table>
 * <caption>The fields</caption>
 * <tr><th>field</th><th>values</th></tr>
 * <tr><td>second</td><td>0 to 59</td></tr>
 * <tr><td>minute</td><td>0 to 59</td></tr>
 * <tr><td>hour</td><td>0 to 23</td></tr>
 * <tr><td>day-of-month</td><td>1 to 31, or L for the last day of the month</td></tr>
 * <tr><td>month</td><td>1 to 12, or JAN to DEC</td></tr>
 * <tr><td>day-of-week</td><td>0 to 7, where both 0 and 7 are Sunday, or SUN to SAT</td></tr>
 * </table>
 *
 * <p>A field is {@code *} for all values, a value, a range such as {@code MON-FRI}, a step such as {@code *}{@code /5},
 * {@code 10-40/5} or {@code 5/15} (from 5 to the end of the field), or a list of these with commas. A range may wrap
 * around: {@code FRI-MON}, {@code 22-2}. Names are case-insensitive. In the two day fields {@code ?} is the same as
 * {@code *}. {@code @yearly}, {@code @annually}, {@code @monthly}, {@code @weekly}, {@code @daily}, {@code @midnight}
 * and {@code @hourly} stand for whole expressions.
 *
 * <p><b>Two day fields</b>: if neither begins with {@code *} or {@code ?}, a day needs to match only one of them, as in
 * Vixie cron: {@code 0 9 13 * FRI} is at nine on each 13th and on each Friday. Otherwise it must match both: {@code 0 9
 * 13 * *}{@code /5} is at nine on each 13th that is a Sunday or a Friday.
 *
 * <p><b>Daylight saving</b>: an hour field that does not begin with {@code *} names fixed times of the day.
 *
 * <ul>
 *   <li>Each fixed time occurs once.
 *   <li>A time that the clocks skip occurs later, by as much as they skip: 02:30 on the day on which they go from 02:00
 *       to 03:00 is 03:30.
 *   <li>A time that comes twice occurs the first time.
 *   <li>Two times that become the same instant in this way occur once.
 * </ul>
 *
 * <p>An hour field that begins with {@code *} follows elapsed time: a time that the clocks skip is left out, and a time
 * that comes twice occurs twice. So {@code *}{@code /30 * * * *} is every 30 minutes on such days too.
 */
public final class Cron {
    private final String expression;
    private final Times times;
    private final Days days;
    private final boolean hasFixedHours;

    private Cron(String expression) {
        CronReader reader = new CronReader(expression);
        this.expression = expression;
        this.times = reader.times();
        this.days = reader.days();
        this.hasFixedHours = !reader.isOpen(Field.HOUR);
    }

    /**
     * Parses an expression. Spaces before and after it are ignored.
     *
     * @throws dev.dormouse.error.DormouseException BAD_SCHEDULE if it is malformed, or can never match, such as 30
     *     February
     */
    public static Cron of(String expression) {
        Refusal.ofNull(expression, "a cron expression");
        return new Cron(expression.strip().replaceAll("\\s+", " "));
    }

    /**
     * Returns the instants of this expression in a time zone.
     *
     * @throws dev.dormouse.error.DormouseException BAD_SCHEDULE if {@code zone} is null
     */
    public Timetable inZone(ZoneId zone) {
        return new ZonedCron(this, zone);
    }

    /** Returns true if its hours are fixed times of the day rather than elapsed time. */
    boolean hasFixedHours() {
        return hasFixedHours;
    }

    /**
     * Returns the first local time from {@code from}, a whole second, and before {@code before}; null if there is none.
     */
    @Nullable
    LocalDateTime firstBetween(LocalDateTime from, LocalDateTime before) {
        LocalDate last = before.toLocalDate();
        LocalTime time = times.atOrAfter(from.toLocalTime());
        LocalDate day = from.toLocalDate();
        LocalDate found = days.first(time == null ? day.plusDays(1) : day, last);
        if (found == null) {
            return null;
        }
        LocalDateTime first = found.atTime(time != null && found.equals(day) ? time : times.first());
        return first.isBefore(before) ? first : null;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Cron cron && cron.expression.equals(expression);
    }

    @Override
    public int hashCode() {
        return expression.hashCode();
    }

    /** Returns the expression as it was written, with single spaces. */
    @Override
    public String toString() {
        return expression;
    }
}
