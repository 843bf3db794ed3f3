package dev.dormouse.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.error.DormouseException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random expressions, zones and instants, compared with {@link NaiveCron}. */
class CronPropertyTest {
    private static final List<ZoneId> ZONES =
            CronLimitsTest.zoneIds().stream().map(ZoneId::of).toList();

    /** Zones that skipped a day, or change by half an hour. */
    private static final List<ZoneId> ODD_ZONES = Stream.of(
                    "Pacific/Apia", "Pacific/Kwajalein", "Pacific/Kiritimati", "Australia/Lord_Howe")
            .map(ZoneId::of)
            .toList();

    private static ZoneId zone(Random random) {
        List<ZoneId> zones = random.nextInt(5) == 0 ? ODD_ZONES : ZONES;
        return zones.get(random.nextInt(zones.size()));
    }

    /** Returns a random instant, mostly shortly before or after a daylight saving change. */
    private static Instant instant(Random random, ZoneId zone, Duration nearby) {
        Instant any = Instant.ofEpochSecond(random.nextLong(
                Instant.parse("1972-02-01T00:00:00Z").getEpochSecond(),
                Instant.parse("2045-01-01T00:00:00Z").getEpochSecond()));
        ZoneOffsetTransition change = zone.getRules().nextTransition(any);
        if (change == null || random.nextInt(10) == 0) {
            return any.plusNanos(random.nextInt(2) * random.nextLong(1_000_000_000));
        }
        return change.getInstant().plusSeconds(random.nextLong(-nearby.toSeconds(), nearby.toSeconds() / 4));
    }

    /** Parses an expression. Returns empty if it is correctly refused. */
    private static Optional<Cron> cron(String expression) {
        try {
            return Optional.of(Cron.of(expression));
        } catch (DormouseException neverComes) {
            assertThat(neverComes).hasMessageContaining("a date that exists");
            NaiveCron naive = new NaiveCron(expression);
            LocalDateTime day = LocalDateTime.of(2000, 1, 1, 0, 0);
            for (; day.getYear() < 2004; day = day.plusDays(1)) {
                assertThat(naive.matchesDay(day)).as(expression).isFalse();
            }
            return Optional.empty();
        }
    }

    /** Returns more hours than the largest change of the clocks near the given time, most often one. */
    private static int marginHours(ZoneId zone, Instant from, Instant to) {
        Duration largest = Duration.ZERO;
        ZoneOffsetTransition change = zone.getRules().nextTransition(from.minus(Duration.ofDays(2)));
        while (change != null && change.getInstant().isBefore(to.plus(Duration.ofDays(2)))) {
            Duration size = change.getDuration().abs();
            largest = size.compareTo(largest) > 0 ? size : largest;
            change = zone.getRules().nextTransition(change.getInstant());
        }
        return (int) largest.toHours() + 2;
    }

    /** Compares both implementations. Returns true if there was anything to compare. */
    private static boolean compare(Random random, String expression, ZoneId zone, Instant from, Instant to) {
        Optional<Cron> cron = cron(expression);
        if (cron.isEmpty()) {
            return false;
        }
        Timetable timetable = cron.get().inZone(zone);
        NavigableSet<Instant> expected = new NaiveCron(expression).between(zone, from, to, marginHours(zone, from, to));
        String what = expression + " in " + zone + " from " + from;
        assertThat(Firings.between(timetable, from, to)).as(what).containsExactlyElementsOf(expected);
        for (int probe = 0; probe < 20; probe++) {
            Instant after =
                    from.plusMillis(random.nextLong(Duration.between(from, to).toMillis()));
            Instant next = timetable.next(after).orElse(Instant.MAX);
            assertThat(next.isAfter(to) ? null : next)
                    .as(what + " after " + after)
                    .isEqualTo(expected.higher(after));
        }
        return !expected.isEmpty();
    }

    @Test
    void minutesMatchBruteForce() {
        Random random = new Random(1);
        int compared = 0;
        for (int round = 0; round < 1_500; round++) {
            String expression = new RandomCron(random).withMinutes();
            ZoneId zone = zone(random);
            Instant from = instant(random, zone, Duration.ofHours(60));
            compared += compare(random, expression, zone, from, from.plus(Duration.ofDays(3))) ? 1 : 0;
        }
        assertThat(compared).isGreaterThan(500);
    }

    @Test
    void secondsMatchBruteForce() {
        Random random = new Random(2);
        int compared = 0;
        for (int round = 0; round < 250; round++) {
            String expression = new RandomCron(random).withSeconds();
            ZoneId zone = zone(random);
            Instant from = instant(random, zone, Duration.ofHours(3));
            compared += compare(random, expression, zone, from, from.plus(Duration.ofHours(4))) ? 1 : 0;
        }
        assertThat(compared).isGreaterThan(50);
    }

    @Test
    void daysMatchBruteForce() {
        Random random = new Random(3);
        for (int round = 0; round < 500; round++) {
            String expression = "0 12 " + new RandomCron(random).days(0.3);
            LocalDateTime noon = LocalDateTime.of(1890 + random.nextInt(400), 1 + random.nextInt(12), 1, 12, 0);
            LocalDateTime end = noon.plusYears(9);
            NaiveCron naive = new NaiveCron(expression);
            List<Instant> expected = new ArrayList<>();
            for (LocalDateTime day = noon; day.isBefore(end); day = day.plusDays(1)) {
                if (naive.matchesDay(day)) {
                    expected.add(day.toInstant(ZoneOffset.UTC));
                }
            }
            Instant after = noon.toInstant(ZoneOffset.UTC).minusNanos(1);
            Instant to = end.minusDays(1).toInstant(ZoneOffset.UTC);
            cron(expression)
                    .ifPresent(cron -> assertThat(Firings.between(cron.inZone(ZoneOffset.UTC), after, to))
                            .as("%s from %s", expression, noon)
                            .isEqualTo(expected));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "* * * * * | Europe/Berlin | 2026-03-28T00:00:00Z",
                "*/10 * * * * | Europe/Berlin | 2026-10-01T00:00:00Z",
                "*/7 1-3 * * * | Europe/Berlin | 2000-01-01T00:00:00Z",
                "30 2 * * * | Europe/Berlin | 1995-01-01T00:00:00Z",
                "0 */2 * * * | America/New_York | 2026-01-01T00:00:00Z",
                "15 1,2 * * * | Australia/Lord_Howe | 1985-01-01T00:00:00Z",
                "0 0 * * * | America/Sao_Paulo | 1986-01-01T00:00:00Z",
                "*/30 22-2 * * * | Africa/Cairo | 2004-01-01T00:00:00Z",
                "0 0,12 * * * | Pacific/Apia | 2008-01-01T00:00:00Z",
                "0 4 L * * | America/New_York | 1972-01-01T00:00:00Z",
                "13,43 * * * * * | Europe/Berlin | 2026-10-23T00:00:00Z",
            })
    void tenThousandInARowAreNeitherEarlyNorDouble(String expression, ZoneId zone, Instant from) {
        Timetable timetable = Cron.of(expression).inZone(zone);
        NaiveCron naive = new NaiveCron(expression);
        Random random = new Random(1);
        Instant last = from;
        for (Instant next : Firings.next(10_000, timetable, from)) {
            assertThat(next).isAfter(last);
            assertThat(isDue(naive, zone.getRules(), next))
                    .as("%s is due", next)
                    .isTrue();
            Instant between =
                    last.plusMillis(random.nextLong(Duration.between(last, next).toMillis()));
            assertThat(timetable.next(between)).contains(next);
            assertThat(timetable.next(next.minusNanos(1))).contains(next);
            last = next;
        }
    }

    /**
     * Returns true if the instant is due by local time. A fixed time that the clocks skip is due by the local time of the
     * offset before.
     */
    private static boolean isDue(NaiveCron naive, ZoneRules rules, Instant instant) {
        if (naive.matches(LocalDateTime.ofInstant(instant, rules.getOffset(instant)))) {
            return true;
        }
        ZoneOffsetTransition change = rules.previousTransition(instant.plusNanos(1));
        return naive.hasFixedHours()
                && change.isGap()
                && instant.isBefore(change.getInstant().plus(change.getDuration()))
                && naive.matches(LocalDateTime.ofInstant(instant, change.getOffsetBefore()));
    }
}
