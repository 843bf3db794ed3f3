package dev.dormouse.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronErrorTest {

    private static DormouseException refused(String expression) {
        DormouseException refusal = catchThrowableOfType(DormouseException.class, () -> Cron.of(expression));
        assertThat(refusal).as("refusal of %s", expression).isNotNull();
        assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_SCHEDULE);
        assertThat(refusal).hasMessageMatching("\\[DM1022] Expected .+, but (got|found) .+\\. [A-Z].+\\.");
        return refusal;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            60 * * * *      | minute       | a value of 0 to 59                        | 60
            -1 * * * *      | minute       | values of 0 to 59, as                     | -1
            99999999999 * * * * | minute   | a value of 0 to 59                        | 99999999999
            60 0 * * * *    | second       | a value of 0 to 59                        | 60
            0 24 * * *      | hour         | a value of 0 to 23                        | 24
            0 1-24 * * *    | hour         | a value of 0 to 23                        | 24
            0 ? * * *       | hour         | values of 0 to 23                         | ?
            0 0 0 * *       | day-of-month | a value of 1 to 31                        | 0
            0 0 32 * *      | day-of-month | a value of 1 to 31                        | 32
            0 0 L-3 * *     | day-of-month | a value of 1 to 31                        | L
            0 0 15W * *     | day-of-month | a value of 1 to 31                        | 15W
            0 0 ?,3 * *     | day-of-month | values of 1 to 31                         | ?
            0 0 x* * *      | day-of-month | or L for the last day                     | x*
            0 0 1 0 *       | month        | a value of 1 to 12 or JAN to DEC          | 0
            0 0 1 13 *      | month        | a value of 1 to 12 or JAN to DEC          | 13
            0 0 1 MON *     | month        | a value of 1 to 12 or JAN to DEC          | MON
            0 0 1 JANUARY * | month        | a value of 1 to 12 or JAN to DEC          | JANUARY
            0 0 * * 8       | day-of-week  | a value of 0 to 7 or SUN to SAT           | 8
            0 0 * * JAN     | day-of-week  | a value of 0 to 7 or SUN to SAT           | JAN
            0 0 * * L       | day-of-week  | a value of 0 to 7 or SUN to SAT           | L
            0 0 * * MON#2   | day-of-week  | values of 0 to 7 or SUN to SAT            | MON#2
            */0 * * * *     | minute       | a step of 1 to 60                         | 0
            */61 * * * *    | minute       | a step of 1 to 60                         | 61
            */99999999999 * * * * | minute | a step of 1 to 60                         | 99999999999
            0 0-8/0 * * *   | hour         | a step of 1 to 24                         | 0
            */x * * * *     | minute       | values of 0 to 59                         | */x
            */ * * * *      | minute       | values of 0 to 59                         | */
            5/ * * * *      | minute       | values of 0 to 59                         | 5/
            */2/3 * * * *   | minute       | values of 0 to 59                         | */2/3
            *-5 * * * *     | minute       | values of 0 to 59                         | *-5
            5- * * * *      | minute       | values of 0 to 59                         | 5-
            1-2-3 * * * *   | minute       | values of 0 to 59                         | 1-2-3
            ** * * * *      | minute       | values of 0 to 59                         | **
            1.5 * * * *     | minute       | values of 0 to 59                         | 1.5
            +5 * * * *      | minute       | values of 0 to 59                         | +5
            ٣ * * * *       | minute       | values of 0 to 59                         | ٣
            , * * * *       | minute       | values of 0 to 59                         |
            1, * * * *      | minute       | values of 0 to 59                         |
            1,,2 * * * *    | minute       | values of 0 to 59                         |
            one * * * *     | minute       | a value of 0 to 59                        | one
            """)
    void badFieldIsNamedWithWhatWasExpectedAndFound(String expression, String field, String expected, String found) {
        String shown = found == null ? "" : found;
        assertThat(refused(expression))
                .hasMessageContaining("the " + field + " field")
                .hasMessageContaining(expected)
                .hasMessageContaining("found \"" + shown + "\".")
                .hasMessageContaining("\"" + expression + "\"");
    }

    @Test
    void messageIsASentence() {
        assertThat(refused("0 25 * * *"))
                .hasMessage("[DM1022] Expected a value of 0 to 23 in the hour field of cron expression \"0 25 * * *\","
                        + " but found \"25\". Correct the field.");
    }

    @ParameterizedTest
    @CsvSource({"'', an empty one", "'  \t ', an empty one", "*, 1 in", "* * * *, 4 in", "* * * * * * *, 7 in"})
    void tooFewOrTooManyFieldsAreCounted(String expression, String found) {
        assertThat(refused(expression)).hasMessageContaining("5 fields").hasMessageContaining("but got " + found);
    }

    @ParameterizedTest
    @ValueSource(strings = {"@reboot", "@every 5m", "@", "@daily 5", "@ daily"})
    void unknownMacroIsRefusedWithThoseThereAre(String macro) {
        assertThat(refused(macro))
                .hasMessageContaining("@annually, @daily, @hourly, @midnight, @monthly, @weekly, @yearly")
                .hasMessageContaining("got \"" + macro + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 0 30 2 *", "0 0 30,31 FEB ?", "0 0 31 2,4,6,9,11 *", "0 0 31 APR */2", "0 0 0 30 2 *"})
    void dateThatNeverComesIsRefused(String expression) {
        assertThat(refused(expression))
                .hasMessageContaining("a date that exists")
                .hasMessageContaining("day-of-month field")
                .hasMessageContaining("month field, which never come together");
    }

    @Test
    void longGarbageIsCut() {
        assertThat(refused("x".repeat(100_000)).getMessage()).hasSizeLessThan(400);
        assertThat(refused("9".repeat(100_000) + " * * * *").getMessage()).hasSizeLessThan(400);
    }

    @Test
    @SuppressWarnings("NullAway")
    void nullIsRefused() {
        assertThat(refused(null)).hasMessageContaining("Expected a cron expression, but got null");
        Cron cron = Cron.of("@daily");
        assertThatThrownBy(() -> cron.inZone(null)).hasMessageContaining("[DM1022] Expected a time zone, but got null");
        assertThatThrownBy(() -> cron.inZone(ZoneId.of("UTC")).next(null))
                .hasMessageContaining("[DM1022] Expected an instant");
    }
}
