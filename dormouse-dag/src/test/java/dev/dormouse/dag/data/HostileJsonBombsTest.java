package dev.dormouse.dag.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagBuilder;
import dev.dormouse.dag.support.RefusalAssertions;
import dev.dormouse.error.ErrorCode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Regression tests of JSON that is too deep, too long or too large: it is refused with BAD_DAG and a short message.
 */
class HostileJsonBombsTest {
    private static final String STEP = "{\"id\":\"a\",\"task\":\"x\"}";

    private static void refused(String json) {
        String message = RefusalAssertions.refused(ErrorCode.BAD_DAG, () -> Dag.fromJson(json))
                .getMessage();
        assertThat(message.length()).isLessThan(5_000);
    }

    private static String withInput(String value) {
        return "{\"name\":\"d\",\"steps\":[{\"id\":\"a\",\"task\":\"x\",\"input\":" + value + "}]}";
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":"})
    void hundredThousandLevelsAreRefused(String level) {
        refused(level.repeat(100_000));
        refused(withInput(level.repeat(100_000)));
        refused("{\"name\":" + level.repeat(100_000));
        refused("{\"name\":\"d\",\"unknown\":" + level.repeat(100_000));
    }

    @Test
    void hundredThousandLevelsThatAreClosedAreRefused() {
        refused("[".repeat(100_000) + "]".repeat(100_000));
        refused(withInput("[".repeat(100_000) + "]".repeat(100_000)));
    }

    @Test
    void manyLevelsAreReadAndWrittenOrRefused() {
        for (int levels : new int[] {10, 100, 400, 490, 500, 600, 990, 1_000, 1_100, 2_000, 10_000}) {
            String json = withInput("[".repeat(levels) + "1" + "]".repeat(levels));
            RefusalAssertions.succeedsOrIsRefused(levels + " levels", () -> {
                Dag dag = Dag.fromJson(json);
                assertThat(Dag.fromJson(dag.toJson())).isEqualTo(dag);
                dag.toMermaid();
            });
        }
    }

    @Test
    void conditionsOfManyLevelsAreReadAndWrittenOrRefused() {
        for (int levels : new int[] {10, 100, 400, 490, 500, 990, 1_000, 10_000, 100_000}) {
            String condition = "{\"not\":".repeat(levels) + "{\"path\":\"$.input\",\"is\":1}" + "}".repeat(levels);
            String json = "{\"name\":\"d\",\"steps\":[{\"id\":\"a\",\"task\":\"x\",\"skipIf\":" + condition + "}]}";
            RefusalAssertions.succeedsOrIsRefused(levels + " levels", () -> {
                Dag dag = Dag.fromJson(json);
                assertThat(Dag.fromJson(dag.toJson())).isEqualTo(dag);
                dag.toMermaid();
            });
        }
    }

    @Test
    void numbersOfManyDigitsAreReadAndWrittenOrRefused() {
        for (String number : List.of(
                "9".repeat(900),
                "9".repeat(1_100),
                "9".repeat(100_000),
                "0." + "1".repeat(100_000),
                "1e-2147483648",
                "1E999999999999")) {
            RefusalAssertions.succeedsOrIsRefused(number.length() + " digits", () -> Dag.fromJson(withInput(number)));
        }
        for (String number : List.of("9".repeat(100_000), "1e2147483647", "1e9999999999", "1e-9999999999")) {
            refused("{\"name\":\"d\",\"version\":" + number + ",\"steps\":[" + STEP + "]}");
        }
    }

    @Test
    void longTextsAreRefusedWithAShortSentence() {
        String huge = "x".repeat(1_000_000);
        refused("{\"name\":\"" + huge + "\",\"steps\":[" + STEP + "]}");
        refused("{\"" + huge + "\":\"d\",\"steps\":[" + STEP + "]}");
        refused("{\"name\":\"d\",\"steps\":[{\"id\":\"" + huge + "\",\"task\":\"x\"}]}");
        refused("{\"name\":\"d\",\"steps\":[{\"id\":\"a\",\"task\":\"" + huge + "\"}]}");
        refused("{\"name\":\"d\",\"steps\":[{\"id\":\"a\",\"task\":\"x\",\"timeout\":\"" + huge + "\"}]}");
        refused("{\"name\":\"d\",\"steps\":[{\"id\":\"a\",\"task\":\"x\",\"after\":[\"" + huge + "\"]}]}");
        refused("{\"name\":\"d\",\"idempotencyKey\":\"" + huge + "\",\"steps\":[" + STEP + "]}");
        refused("{\"name\":\"d\",\"steps\":[{\"id\":\"a\",\"sleep\":{\"cron\":\"" + huge + "\"}}]}");
    }

    @Test
    void millionStepsAreRefused() {
        StringBuilder json = new StringBuilder("{\"name\":\"d\",\"steps\":[");
        for (int i = 0; i < 1_000_000; i++) {
            json.append(i == 0 ? "" : ",").append("{\"id\":\"a").append(i).append("\",\"task\":\"x\"}");
        }
        refused(json.append("]}").toString());
    }

    @Test
    void longCycleIsRefusedInAShortSentence() {
        DagBuilder builder = Dag.workflow("d");
        for (int i = 0; i < 10_000; i++) {
            builder.task("s" + i, "x").after("s" + (i + 1) % 10_000);
        }
        assertThat(RefusalAssertions.refused(ErrorCode.BAD_DAG, builder::build)
                        .getMessage()
                        .length())
                .isLessThan(5_000);
    }
}
