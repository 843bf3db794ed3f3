package dev.dormouse.schedule;

import static dev.dormouse.schedule.Firings.dates;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CronDaysTest {

    @Test
    void thirtyFirstIsInSevenMonthsOfTheYear() {
        assertThat(dates("2026-01-01", 8, "0 0 31 * *"))
                .containsExactly(
                        "2026-01-31",
                        "2026-03-31",
                        "2026-05-31",
                        "2026-07-31",
                        "2026-08-31",
                        "2026-10-31",
                        "2026-12-31",
                        "2027-01-31");
    }

    @Test
    void lastDayOfEachMonthIsFound() {
        assertThat(dates("2027-12-30", 5, "0 0 L * *"))
                .containsExactly("2027-12-31", "2028-01-31", "2028-02-29", "2028-03-31", "2028-04-30");
        assertThat(dates("2100-02-01", 2, "0 0 l 2 ?")).containsExactly("2100-02-28", "2101-02-28");
        assertThat(dates("2026-02-01", 4, "0 0 15,L * *"))
                .containsExactly("2026-02-15", "2026-02-28", "2026-03-15", "2026-03-31");
    }

    @Test
    void leapDayComesEveryFourYearsAndOnceAfterEight() {
        assertThat(dates("2026-01-01", 3, "0 0 29 FEB *")).containsExactly("2028-02-29", "2032-02-29", "2036-02-29");
        assertThat(dates("2096-01-01", 2, "0 0 29 2 *")).containsExactly("2096-02-29", "2104-02-29");
        assertThat(dates("1996-01-01", 2, "0 0 29 2 *")).containsExactly("1996-02-29", "2000-02-29");
    }

    /** Begins one day field with a star, so that a day must match both. */
    @Test
    void leapDayOnASundayComesAfter28YearsOr40() {
        assertThat(dates("2026-01-01", 7, "0 0 29 2 */7"))
                .containsExactly(
                        "2032-02-29",
                        "2060-02-29",
                        "2088-02-29",
                        "2128-02-29",
                        "2156-02-29",
                        "2184-02-29",
                        "2224-02-29");
    }

    @Test
    void dateOrWeekdayIsEnoughWhenBothAreGiven() {
        assertThat(dates("2026-11-01", 6, "0 0 13 * FRI"))
                .containsExactly("2026-11-06", "2026-11-13", "2026-11-20", "2026-11-27", "2026-12-04", "2026-12-11");
        assertThat(dates("2026-12-12", 2, "0 0 13 * FRI")).containsExactly("2026-12-13", "2026-12-18");
        assertThat(dates("2026-04-28", 3, "0 0 L 4,5 MON")).containsExactly("2026-04-30", "2026-05-04", "2026-05-11");
    }

    @Test
    void dateAndWeekdayMustMatchWhenOneBeginsWithAStar() {
        assertThat(dates("2026-01-01", 3, "0 0 13 * */5")).containsExactly("2026-02-13", "2026-03-13", "2026-09-13");
        assertThat(dates("2026-11-01", 3, "0 0 */10 * MON")).containsExactly("2026-12-21", "2027-01-11", "2027-02-01");
        assertThat(dates("2026-11-12", 2, "0 0 13 * ?")).containsExactly("2026-11-13", "2026-12-13");
        assertThat(dates("2026-11-12", 2, "0 0 ? * FRI")).containsExactly("2026-11-13", "2026-11-20");
    }

    /** Combines 30 February, which never comes, with Mondays, which do. */
    @Test
    void dateThatNeverComesDoesNotHideTheWeekday() {
        assertThat(dates("2026-01-01", 2, "0 0 30 2 MON")).containsExactly("2026-02-02", "2026-02-09");
    }
}
