package dev.dormouse.schedule;

import static dev.dormouse.schedule.Firings.at;
import static dev.dormouse.schedule.Firings.onDay;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Cron expressions on days of daylight saving changes. */
class CronDaylightTest {
    private static final String BERLIN = "Europe/Berlin";
    private static final String SPRING = "2026-03-29";
    private static final String AUTUMN = "2026-10-25";

    private static List<String> everyMinute(String hour, String offset) {
        return IntStream.range(0, 60)
                .mapToObj(minute -> "%s:%02d%s".formatted(hour, minute, offset))
                .toList();
    }

    @Test
    void fixedTimeThatIsSkippedHappensLaterOnce() {
        assertThat(onDay(SPRING, BERLIN, "30 2 * * *")).containsExactly("03:30+02:00");
        assertThat(onDay(SPRING, BERLIN, "0 2 * * *")).containsExactly("03:00+02:00");
        assertThat(onDay(SPRING, BERLIN, "59 59 2 * * *")).containsExactly("03:59:59+02:00");
        assertThat(Cron.of("30 2 * * *").inZone(ZoneId.of(BERLIN)).next(Instant.parse("2026-03-28T12:00:00Z")))
                .contains(Instant.parse("2026-03-29T01:30:00Z"));
    }

    @Test
    void fixedTimeThatComesTwiceHappensTheFirstTime() {
        assertThat(onDay(AUTUMN, BERLIN, "30 2 * * *")).containsExactly("02:30+02:00");
        assertThat(onDay(AUTUMN, BERLIN, "0 2,3 * * *")).containsExactly("02:00+02:00", "03:00+01:00");
        assertThat(Cron.of("30 2 * * *").inZone(ZoneId.of(BERLIN)).next(Instant.parse("2026-10-25T00:30:00Z")))
                .contains(Instant.parse("2026-10-26T01:30:00Z"));
    }

    @Test
    void timesBeforeAndAfterTheChangeAreAsAlways() {
        assertThat(onDay(SPRING, BERLIN, "59 1 * * *")).containsExactly("01:59+01:00");
        assertThat(onDay(SPRING, BERLIN, "0 3,4 * * *")).containsExactly("03:00+02:00", "04:00+02:00");
        assertThat(onDay(AUTUMN, BERLIN, "59 1 * * *")).containsExactly("01:59+02:00");
        assertThat(onDay(AUTUMN, BERLIN, "0 3 * * *")).containsExactly("03:00+01:00");
    }

    @Test
    void twoFixedTimesThatBecomeOneInstantHappenOnce() {
        assertThat(onDay(SPRING, BERLIN, "30 2,3 * * *")).containsExactly("03:30+02:00");
        assertThat(onDay(SPRING, BERLIN, "0 1-4 * * *")).containsExactly("01:00+01:00", "03:00+02:00", "04:00+02:00");
    }

    @Test
    void skippedTimesAndLaterOnesComeInOrder() {
        assertThat(onDay(SPRING, BERLIN, "*/20,15 2,3 * * *"))
                .containsExactly("03:00+02:00", "03:15+02:00", "03:20+02:00", "03:40+02:00");
    }

    @Test
    void everyMinuteOfAFixedHourHappensOnce() {
        assertThat(onDay(SPRING, BERLIN, "* 2 * * *")).isEqualTo(everyMinute("03", "+02:00"));
        assertThat(onDay(AUTUMN, BERLIN, "* 2 * * *")).isEqualTo(everyMinute("02", "+02:00"));
        assertThat(onDay(SPRING, BERLIN, "* 2-3 * * *")).isEqualTo(everyMinute("03", "+02:00"));
    }

    @Test
    void starAsHourFollowsElapsedTime() {
        assertThat(onDay(SPRING, BERLIN, "0 * * * *"))
                .hasSize(23)
                .startsWith("00:00+01:00", "01:00+01:00", "03:00+02:00", "04:00+02:00");
        assertThat(onDay(AUTUMN, BERLIN, "0 * * * *"))
                .hasSize(25)
                .startsWith("00:00+02:00", "01:00+02:00", "02:00+02:00", "02:00+01:00", "03:00+01:00");
        assertThat(onDay(SPRING, BERLIN, "*/30 * * * *"))
                .hasSize(46)
                .containsSequence("01:00+01:00", "01:30+01:00", "03:00+02:00", "03:30+02:00");
        assertThat(onDay(AUTUMN, BERLIN, "*/30 * * * *"))
                .hasSize(50)
                .containsSequence("02:00+02:00", "02:30+02:00", "02:00+01:00", "02:30+01:00", "03:00+01:00");
    }

    @Test
    void starWithAStepSkipsAndRepeatsToo() {
        assertThat(onDay(SPRING, BERLIN, "30 */2 * * *")).startsWith("00:30+01:00", "04:30+02:00");
        assertThat(onDay(AUTUMN, BERLIN, "30 */2 * * *"))
                .startsWith("00:30+02:00", "02:30+02:00", "02:30+01:00", "04:30+01:00");
        assertThat(onDay(AUTUMN, BERLIN, "0 0-23 * * *")).hasSize(24);
    }

    @Test
    void lordHoweChangesByHalfAnHour() {
        String zone = "Australia/Lord_Howe";
        String spring = "2026-10-04";
        String autumn = "2026-04-05";
        assertThat(onDay(spring, zone, "15 2 * * *")).containsExactly("02:45+11:00");
        assertThat(onDay(spring, zone, "15,45 2 * * *")).containsExactly("02:45+11:00");
        assertThat(onDay(spring, zone, "20,40 2 * * *")).containsExactly("02:40+11:00", "02:50+11:00");
        assertThat(onDay(spring, zone, "*/15 * * * *"))
                .hasSize(94)
                .containsSequence("01:45+10:30", "02:30+11:00", "02:45+11:00");
        assertThat(onDay(autumn, zone, "45 1 * * *")).containsExactly("01:45+11:00");
        assertThat(onDay(autumn, zone, "*/15 1,2 * * *"))
                .containsExactly(
                        "01:00+11:00",
                        "01:15+11:00",
                        "01:30+11:00",
                        "01:45+11:00",
                        "02:00+10:30",
                        "02:15+10:30",
                        "02:30+10:30",
                        "02:45+10:30");
        assertThat(onDay(autumn, zone, "*/15 * * * *"))
                .hasSize(98)
                .containsSequence("01:45+11:00", "01:30+10:30", "01:45+10:30", "02:00+10:30");
    }

    @Test
    void newYorkChangesAtTwo() {
        String zone = "America/New_York";
        assertThat(onDay("2026-03-08", zone, "30 2 * * *")).containsExactly("03:30-04:00");
        assertThat(onDay("2026-11-01", zone, "30 1 * * *")).containsExactly("01:30-04:00");
        assertThat(onDay("2026-11-01", zone, "30 * * * *"))
                .hasSize(25)
                .containsSequence("00:30-04:00", "01:30-04:00", "01:30-05:00", "02:30-05:00");
    }

    @Test
    void midnightThatIsSkippedHappensAtOne() {
        assertThat(onDay("2018-11-04", "America/Sao_Paulo", "0 0 * * *")).containsExactly("01:00-02:00");
        assertThat(onDay("2018-11-04", "America/Sao_Paulo", "@hourly"))
                .hasSize(23)
                .startsWith("01:00-02:00");
        assertThat(onDay("2010-04-30", "Africa/Cairo", "@daily")).containsExactly("01:00+03:00");
        assertThat(onDay("2010-04-30", "Africa/Cairo", "0 0,1 * * *")).containsExactly("01:00+03:00");
    }

    @Test
    void hourBeforeMidnightThatComesTwiceHappensOnce() {
        assertThat(onDay("2018-02-17", "America/Sao_Paulo", "30 23 * * *")).containsExactly("23:30-02:00");
        assertThat(onDay("2018-02-17", "America/Sao_Paulo", "30 * * * *")).endsWith("23:30-02:00", "23:30-03:00");
        assertThat(onDay("2018-02-18", "America/Sao_Paulo", "0 0 * * *")).containsExactly("00:00-03:00");
        assertThat(onDay("2010-09-30", "Africa/Cairo", "0 23 * * *")).containsExactly("23:00+03:00");
    }

    /** Samoa had no 30 December 2011, which would have been a Friday. */
    @Test
    void dayThatIsSkippedHappensOnTheNext() {
        ZoneId apia = ZoneId.of("Pacific/Apia");
        Instant before = at("2011-12-29T12:00-10:00");
        Instant noon = at("2011-12-31T12:00+14:00");
        assertThat(Cron.of("0 12 30 12 *").inZone(apia).next(before)).contains(noon);
        assertThat(Cron.of("0 12 * * FRI").inZone(apia).next(before)).contains(noon);
        assertThat(Firings.next(3, Cron.of("0 12 * * *").inZone(apia), before))
                .containsExactly(noon, at("2012-01-01T12:00+14:00"), at("2012-01-02T12:00+14:00"));
        assertThat(Cron.of("0 * 30 12 *").inZone(apia).next(before)).contains(at("2012-12-30T00:00+14:00"));
        assertThat(Firings.next(13, Cron.of("@hourly").inZone(apia), before))
                .startsWith(at("2011-12-29T13:00-10:00"))
                .endsWith(at("2011-12-31T00:00+14:00"), at("2011-12-31T01:00+14:00"));
    }
}
