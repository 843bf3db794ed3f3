package dev.dormouse.schedule;

import static dev.dormouse.schedule.Firings.dates;
import static dev.dormouse.schedule.Firings.onDay;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CronTest {
    private static final String DAY = "2026-07-15";

    private static List<String> times(String expression) {
        return onDay(DAY, "UTC", expression);
    }

    @Test
    void valuesListsRangesAndStepsAreRead() {
        assertThat(times("5 9 * * *")).containsExactly("09:05Z");
        assertThat(times("0,30 9,17 * * *")).containsExactly("09:00Z", "09:30Z", "17:00Z", "17:30Z");
        assertThat(times("0 8-11 * * *")).containsExactly("08:00Z", "09:00Z", "10:00Z", "11:00Z");
        assertThat(times("*/20 7 * * *")).containsExactly("07:00Z", "07:20Z", "07:40Z");
        assertThat(times("10-40/15 7 * * *")).containsExactly("07:10Z", "07:25Z", "07:40Z");
        assertThat(times("5/15 7 * * *")).containsExactly("07:05Z", "07:20Z", "07:35Z", "07:50Z");
        assertThat(times("0 1-3,12,20/2 * * *"))
                .containsExactly("01:00Z", "02:00Z", "03:00Z", "12:00Z", "20:00Z", "22:00Z");
        assertThat(times("* * * * *")).hasSize(24 * 60);
    }

    @Test
    void secondComesFirstOfSixFields() {
        assertThat(times("15,45 30 7 * * *")).containsExactly("07:30:15Z", "07:30:45Z");
        assertThat(times("*/20 59 23 * * *")).containsExactly("23:59Z", "23:59:20Z", "23:59:40Z");
        assertThat(times("* * * * * *")).hasSize(24 * 60 * 60);
    }

    @Test
    void rangesWrapAround() {
        assertThat(times("0 22-2 * * *")).containsExactly("00:00Z", "01:00Z", "02:00Z", "22:00Z", "23:00Z");
        assertThat(times("0 22-3/2 * * *")).containsExactly("00:00Z", "02:00Z", "22:00Z");
        assertThat(times("58-1 6 * * *")).containsExactly("06:00Z", "06:01Z", "06:58Z", "06:59Z");
        assertThat(dates("2026-01-01", 4, "0 0 1 NOV-FEB *"))
                .containsExactly("2026-01-01", "2026-02-01", "2026-11-01", "2026-12-01");
        assertThat(dates("2026-01-10", 5, "0 0 30-2 * *"))
                .containsExactly("2026-01-30", "2026-01-31", "2026-02-01", "2026-02-02", "2026-03-01");
    }

    /** 15 November 2026 is a Sunday. */
    @ParameterizedTest
    @CsvSource({
        "0, 15",
        "7, 15",
        "SUN, 15",
        "sun, 15",
        "Wed, 18",
        "5-7, 15 20 21",
        "FRI-MON, 15 16 20 21",
        "6-0, 15 21",
        "SAT-SUN, 15 21",
        "7-2, 15 16 17",
        "7-0, 15",
        "7-7, 15",
        "0-7, 15 16 17 18 19 20 21",
        "1-7/2, 15 16 18 20",
        "*/3, 15 18 21",
        "*/7, 15",
        "1/2, 16 18 20",
        "7/2, 15 17 19 21",
        "mon/3, 16 19",
        "'mon,wed,5', 16 18 20",
        "TUE-thu, 17 18 19",
    })
    void weekdaysAreReadAsNumbersAndNames(String weekdays, String days) {
        List<String> week = dates("2026-11-15", 7, "0 0 * * *");
        List<String> found = dates("2026-11-15", 7, "0 0 * * " + weekdays);
        assertThat(found.stream().filter(week::contains).map(date -> date.substring(8)))
                .containsExactly(days.split(" "));
    }

    @Test
    void monthsAreReadAsNumbersAndNames() {
        assertThat(dates("2026-01-01", 3, "0 0 1 jan,Jun,12 *"))
                .containsExactly("2026-01-01", "2026-06-01", "2026-12-01");
        assertThat(dates("2026-01-01", 3, "0 0 1 MAR-may *")).containsExactly("2026-03-01", "2026-04-01", "2026-05-01");
        assertThat(dates("2026-01-01", 3, "0 0 1 2/5 *")).containsExactly("2026-02-01", "2026-07-01", "2026-12-01");
    }

    @ParameterizedTest
    @CsvSource({
        "@yearly, 0 0 1 1 *", "@annually, 0 0 1 1 *", "@monthly, 0 0 1 * *", "@weekly, 0 0 * * SUN",
        "@daily, 0 0 * * *", "@midnight, 0 0 * * *", "@hourly, 0 * * * *", "@Daily, 0 0 * * *",
    })
    void macrosStandForWholeExpressions(String macro, String fields) {
        assertThat(dates("2026-03-05", 50, macro)).isEqualTo(dates("2026-03-05", 50, fields));
        assertThat(times(macro)).isEqualTo(times(fields));
    }

    @Test
    void equalWhenWrittenAlike() {
        Cron cron = Cron.of("0 9 * * MON");
        assertThat(Cron.of(" \t0  9 *\n* MON \n"))
                .isEqualTo(cron)
                .hasSameHashCodeAs(cron)
                .hasToString("0 9 * * MON");
        assertThat(Cron.of(cron.toString())).isEqualTo(cron);
        assertThat(Cron.of("0 9 * * TUE")).isNotEqualTo(cron);
        assertThat(cron).isNotEqualTo("0 9 * * MON");
        assertThat(Cron.of("@daily")).hasToString("@daily");
    }

    @Test
    void timetablesAreEqualWhenTheirPartsAre() {
        Timetable timetable = Cron.of("0 9 * * *").inZone(ZoneOffset.UTC);
        assertThat(Cron.of("0 9 * * *").inZone(ZoneOffset.UTC))
                .isEqualTo(timetable)
                .hasSameHashCodeAs(timetable);
        assertThat(Cron.of("0 9 * * *").inZone(ZoneId.of("Europe/Berlin"))).isNotEqualTo(timetable);
        assertThat(Cron.of("0 8 * * *").inZone(ZoneOffset.UTC)).isNotEqualTo(timetable);
    }
}
