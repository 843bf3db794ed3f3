package dev.dormouse.dag.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.data.JsonTree;
import dev.dormouse.dag.support.DagScenario;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.WorkflowFailedException;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** All forms of a step's sleep time, right and wrong. The clock begins at 2030-01-01T00:00:00Z, a Tuesday. */
class SleepFormsTest {
    private static String json(String sleep) {
        return "{\"name\": \"nap\", \"steps\": [{\"id\": \"s\", \"sleep\": " + sleep + "}, "
                + "{\"id\": \"b\", \"task\": \"log\", \"input\": \"b\", \"after\": [\"s\"]}]}";
    }

    static Stream<Arguments> rightForms() {
        return Stream.of(
                // for a fixed time
                arguments("{'for': 'PT30S'}", "{}", 30_000),
                arguments("{'for': 'PT0.001S'}", "{}", 1),
                arguments("{'for': 'P1D'}", "{}", 86_400_000L),
                arguments("{'for': 'P365D'}", "{}", 365 * 86_400_000L),
                // for a time from the input
                arguments("{'for': '$.input.ms'}", "{'ms': 1500}", 1_500),
                arguments("{'for': '$.input.ms'}", "{'ms': 1500.0}", 1_500),
                arguments("{'for': '$.input.a.b[1]'}", "{'a': {'b': [1, 2]}}", 2),
                arguments("{'for': '$.input.t'}", "{'t': 'PT2S'}", 2_000),
                // until a fixed instant
                arguments("{'until': '2030-01-01T00:00:10Z'}", "{}", 10_000),
                arguments("{'until': '2030-01-01T02:00:10+02:00'}", "{}", 10_000),
                arguments("{'until': '2029-12-31T23:59:59Z'}", "{}", 0),
                arguments("{'until': '1970-01-01T00:00:00Z'}", "{}", 0),
                // until an instant from the input
                arguments("{'until': '$.input.at'}", "{'at': '2030-01-01T00:01:00Z'}", 60_000),
                arguments("{'until': '$.input.at'}", "{'at': '2029-01-01T00:01:00Z'}", 0),
                arguments("{'until': '$.input.at'}", "{'at': 1893456001000}", 1_000),
                arguments("{'until': '$.input.at'}", "{'at': 1893455999000}", 0),
                // until the next time of a cron expression
                arguments("{'cron': '0 9 * * *', 'zone': 'UTC'}", "{}", 9 * 3_600_000L),
                arguments("{'cron': '0 9 * * *'}", "{}", 9 * 3_600_000L),
                arguments("{'cron': '0 9 * * *', 'zone': 'Europe/Berlin'}", "{}", 8 * 3_600_000L),
                arguments("{'cron': '*/15 * * * *', 'zone': 'UTC'}", "{}", 15 * 60_000L),
                arguments("{'cron': '0 0 * * MON', 'zone': 'UTC'}", "{}", 6 * 86_400_000L));
    }

    @ParameterizedTest
    @MethodSource("rightForms")
    void sleepsForTheGivenTime(String sleep, String input, long milliseconds) {
        Dag dag = Dag.fromJson(json(sleep.replace('\'', '"')));
        DagScenario.play(dag, scenario -> {
            DagScenario.result(scenario.start("nap", JsonTree.parse(input.replace('\'', '"'))));
            assertThat(scenario.log()).containsExactly(milliseconds + " b");
        });
    }

    static Stream<Arguments> wrongForms() {
        return Stream.of(
                arguments("{'for': 'PT0S'}", "more than zero"),
                arguments("{'for': '-PT5S'}", "more than zero"),
                arguments("{'for': 'P366D'}", "at most PT8760H"),
                arguments("{'for': 'soon'}", "$.steps[0].sleep.for"),
                arguments("{'for': 30}", "$.steps[0].sleep.for"),
                arguments("{'for': null}", "$.steps[0].sleep.for"),
                arguments("{'for': '$'}", "Expected a path"),
                arguments("{'for': '$.steps.b'}", "does not come after 'b'"),
                arguments("{'for': '$.steps.nobody.x'}", "no step 'nobody'"),
                arguments("{'for': '$.env.x'}", "data begins with"),
                arguments("{'for': 'PT1S', 'until': '2030-01-01T00:00:10Z'}", "[for, until]"),
                arguments("{'for': 'PT1S', 'cron': '* * * * *'}", "[for, cron]"),
                arguments("{}", "has none"),
                arguments("{'zone': 'UTC'}", "has none"),
                arguments("'PT30S'", "an object"),
                arguments("{'until': 'tomorrow'}", "$.steps[0].sleep.until"),
                arguments("{'until': '2030-13-01T00:00:10Z'}", "$.steps[0].sleep.until"),
                arguments("{'until': '2030-01-01T00:00:10'}", "$.steps[0].sleep.until"),
                arguments("{'cron': 'every day'}", "cron"),
                arguments("{'cron': '61 * * * *'}", "cron"),
                arguments("{'cron': '0 9 * * *', 'zone': 'Mars/Olympus'}", "$.steps[0].sleep.zone"),
                arguments("{'for': 'PT1S', 'zone': 'UTC'}", "$.steps[0].sleep.zone"),
                arguments("{'seconds': 5, 'for': 'PT1S'}", "$.steps[0].sleep.seconds"));
    }

    @ParameterizedTest
    @MethodSource("wrongForms")
    void invalidFormIsRefusedBeforeTheRun(String sleep, String told) {
        assertThatThrownBy(() -> Dag.fromJson(json(sleep.replace('\'', '"'))))
                .isInstanceOfSatisfying(
                        DormouseException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.BAD_DAG))
                .hasMessageContaining(told);
    }

    static Stream<Arguments> wrongData() {
        return Stream.of(
                arguments("{'for': '$.input.ms'}", Map.of(), "Expected a value at $.input.ms, but $.input has no 'ms'"),
                arguments("{'for': '$.input.ms'}", Map.of("ms", 0), "above zero"),
                arguments("{'for': '$.input.ms'}", Map.of("ms", -5), "above zero"),
                arguments("{'for': '$.input.ms'}", Map.of("ms", 1.5), "a number of milliseconds"),
                arguments("{'for': '$.input.ms'}", Map.of("ms", "soon"), "a number of milliseconds"),
                arguments("{'for': '$.input.ms'}", Map.of("ms", Map.of()), "an object"),
                arguments("{'for': '$.input.ms'}", Map.of("ms", Long.MAX_VALUE), "at most"),
                arguments("{'for': '$.input.ms'}", null, "$.input is null"),
                arguments("{'until': '$.input.at'}", Map.of("at", 30_000), "is a sleep, not a sleepUntil"),
                arguments("{'until': '$.input.at'}", Map.of("at", "2030-01-01"), "Expected an instant"),
                arguments("{'until': '$.input.at'}", Map.of("at", true), "Expected an instant"),
                arguments("{'until': '$.input.at'}", Map.of("at", "2032-01-01T00:00:00Z"), "at most PT8760H"),
                arguments(
                        "{'until': '$.input.at'}", Map.of("at", "+1000000000-12-31T23:59:59Z"), "Expected an instant"));
    }

    @ParameterizedTest
    @MethodSource("wrongData")
    void unresolvableTimeFailsTheStep(String sleep, @Nullable Object input, String told) {
        Dag dag = Dag.fromJson(json(sleep.replace('\'', '"')));
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("nap", input);
            assertThatThrownBy(() -> DagScenario.result(run))
                    .isInstanceOf(WorkflowFailedException.class)
                    .hasMessageContaining("step 's' failed")
                    .hasMessageContaining(told);
            assertThat(scenario.test().elapsed()).isLessThan(Duration.ofSeconds(1));
            assertThat(scenario.log()).isEmpty();
        });
    }
}
