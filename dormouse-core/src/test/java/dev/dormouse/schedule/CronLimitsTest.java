package dev.dormouse.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The limits of time, and schedules that hardly ever happen. */
class CronLimitsTest {

    private static List<Instant> extremes() {
        List<Instant> all = new ArrayList<>(List.of(Instant.MIN, Instant.MIN.plusNanos(1), Instant.MAX));
        for (LocalDateTime local : List.of(LocalDateTime.MIN, LocalDateTime.MAX)) {
            Instant limit = local.toInstant(ZoneOffset.UTC);
            for (int days : new int[] {-200_000, -100_000, -731, -730, -500, -1, 0, 1, 500, 730, 731, 100_000}) {
                Duration shift = Duration.ofDays(days);
                if (Duration.between(limit, Instant.MAX).compareTo(shift) > 0
                        && Duration.between(limit, Instant.MIN).compareTo(shift) < 0) {
                    all.add(limit.plus(shift));
                }
            }
        }
        return all;
    }

    /** Returns the zones of the JVM's own data, without the one that {@link HostileSchedulesTest} adds. */
    static SortedSet<String> zoneIds() {
        SortedSet<String> zones = new TreeSet<>(ZoneId.getAvailableZoneIds());
        zones.removeIf(zone -> zone.startsWith("Review/"));
        return zones;
    }

    @Test
    void nothingIsThrownNearTheEndsOfTimeInAnyZone() {
        for (String zone : zoneIds()) {
            for (String expression : List.of("* * * * * *", "30 2 * * *", "0 0 29 2 *", "0 0 29 2 */7")) {
                Timetable timetable = Cron.of(expression).inZone(ZoneId.of(zone));
                for (Instant extreme : extremes()) {
                    Optional<Instant> next = timetable.next(extreme);
                    assertThat(next.isEmpty() || next.get().isAfter(extreme))
                            .as("%s in %s after %s: %s", expression, zone, extreme, next)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void timeEndsButDoesNotEndAtItsBeginning() {
        Timetable timetable = Cron.of("* * * * *").inZone(ZoneOffset.UTC);
        assertThat(timetable.next(Instant.MAX)).isEmpty();
        assertThat(timetable.next(Instant.MAX.minusSeconds(1))).isEmpty();
        assertThat(timetable.next(Instant.MIN)).isPresent();
        Instant late = LocalDateTime.MAX.toInstant(ZoneOffset.UTC).minus(Duration.ofDays(100_000));
        assertThat(timetable.next(late)).isPresent();
    }

    @Test
    void rareDaysAreFoundAcrossTheirLongestGap() {
        Timetable timetable = Cron.of("0 0 29 2 */7").inZone(ZoneId.of("Europe/Berlin"));
        assertThat(timetable.next(Instant.parse("2088-03-01T00:00:00Z")))
                .contains(Instant.parse("2128-02-28T23:00:00Z"));
    }

    /** Uses a time that never comes: Cuba skips midnight on the second Sunday of March. */
    @Test
    void scheduleThatIsSkippedEveryYearEnds() {
        ZoneId havana = ZoneId.of("America/Havana");
        Instant after = Instant.parse("2026-01-01T00:00:00Z");
        assertThat(Cron.of("0 */24 8-14 3 */7").inZone(havana).next(after)).isEmpty();
        assertThat(Cron.of("0 0 8-14 3 */7").inZone(havana).next(after)).contains(Firings.at("2026-03-08T01:00-04:00"));
    }
}
