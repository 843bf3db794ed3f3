package dev.dormouse.dag.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.dormouse.RetryPolicy;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagBuilder;
import dev.dormouse.dag.data.Condition;
import dev.dormouse.dag.support.SampleDags;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The mistakes of a definition that are found before it runs. */
class DefinitionCheckTest {
    private static final Duration DAY = Duration.ofDays(1);

    private static DagBuilder dag() {
        return Dag.workflow("d");
    }

    private static DagBuilder one() {
        return dag().task("a", "x");
    }

    private static Arguments wrong(Supplier<DagBuilder> dag, String... told) {
        return arguments(dag, told);
    }

    static Stream<Arguments> wrongDefinitions() {
        return Stream.of(
                // the workflow
                wrong(DefinitionCheckTest::dag, "it has no steps"),
                wrong(() -> Dag.workflow("").task("a", "x"), "its name must be"),
                wrong(() -> Dag.workflow("a:b").task("a", "x"), "its name must be"),
                wrong(() -> Dag.workflow("a/b").task("a", "x"), "its name must be"),
                wrong(() -> Dag.workflow("x".repeat(101)).task("a", "x"), "its name must be"),
                wrong(() -> one().version(0), "its version must be 1 or more, not 0"),
                wrong(() -> one().version(-3), "not -3"),
                wrong(() -> one().singleton().idempotencyKey("$.input.id"), "singleton"),
                wrong(() -> one().idempotencyKey("$.steps.a"), "its idempotencyKey must begin with $.input"),
                wrong(() -> one().runTimeout(Duration.ZERO), "its runTimeout must be above zero"),
                wrong(() -> one().maxSleep(DAY.negated()), "its maxSleep must be above zero"),
                wrong(() -> one().cancelOn("", Map.of()), "cancelOn must name an event"),
                wrong(() -> one().cancelOn("e", Map.of("id", "$.steps.a.id")), "knows only $.input and $.run"),
                wrong(() -> one().output("$.steps.b"), "its output looks at $.steps.b, which is not data of a run"),
                wrong(() -> one().output("$.steps"), "its output looks at $.steps"),
                // ids and references
                wrong(() -> one().task("a", "y"), "there are two steps 'a'"),
                wrong(() -> dag().task("1a", "x"), "'1a' is not an id"),
                wrong(() -> dag().task("a b", "x"), "'a b' is not an id"),
                wrong(() -> dag().task("", "x"), "'' is not an id"),
                wrong(() -> one().after("b"), "'a' comes after 'b', which is not a step"),
                wrong(() -> one().after("a"), "'a' comes after itself"),
                wrong(() -> one().task("b", "x").after("a", "a"), "'b' comes after 'a' twice"),
                wrong(() -> one().onFailure("b"), "onFailure of 'a' names 'b', which is not a step"),
                wrong(() -> one().compensate("b"), "compensate of 'a' names 'b', which is not a step"),
                // cycles
                wrong(() -> one().after("b").task("b", "x").after("a"), "form a cycle", "a → b → a"),
                wrong(
                        () -> one().after("c")
                                .task("b", "x")
                                .after("a")
                                .task("c", "x")
                                .after("b"),
                        "form a cycle",
                        "a → b → c → a"),
                wrong(
                        () -> one().task("b", "x")
                                .after("a", "d")
                                .task("c", "x")
                                .after("b")
                                .task("d", "x")
                                .after("c"),
                        "b → c → d → b"),
                // onFailure and compensate steps
                wrong(
                        () -> one().onFailure("h").task("h", "x").task("b", "x").after("h"),
                        "'b' comes after 'h', which is the onFailure or compensate step of 'a'"),
                wrong(
                        () -> one().onFailure("h").task("b", "x").onFailure("h").task("h", "x"),
                        "'h' is the onFailure or compensate step of 'b' and of 'a'"),
                wrong(
                        () -> one().onFailure("h").sleep("h", DAY),
                        "is of kind sleep, but must be a task or a subWorkflow"),
                wrong(() -> one().onFailure("h").task("b", "x").task("h", "x").after("b"), "must have no after"),
                wrong(
                        () -> one().onFailure("h").task("h", "x").onFailure("a"),
                        "must have no compensate or onFailure of its own"),
                // paths
                wrong(() -> one().input("$.steps.b.x"), "there is no step 'b'"),
                wrong(() -> one().task("b", "x").input("$.steps.a.x"), "does not come after 'a': add it to its after"),
                wrong(() -> one().input("$.steps"), "must name the step"),
                wrong(() -> one().input("$.inputs.x"), "data begins with $.input, $.steps or $.run"),
                wrong(() -> one().input("$.item"), "which only a map has"),
                wrong(() -> one().input("$.failure.message"), "which only an onFailure step has"),
                wrong(() -> one().skipIf(Condition.at("$.steps.z").is(1)), "there is no step 'z'"),
                wrong(() -> one().rateLimit(1, DAY, "$.steps.z"), "there is no step 'z'"),
                // numbers
                wrong(() -> one().timeout(Duration.ZERO), "the timeout of 'a' must be above zero"),
                wrong(() -> one().rateLimit(0, DAY), "the rateLimit of 'a' must be 1 or more"),
                wrong(() -> one().rateLimit(1, Duration.ZERO), "the period of the rateLimit of 'a'"),
                wrong(() -> dag().map("m", "x", "$.input").limit(0), "the limit of 'm' must be 1 to 100000"),
                wrong(() -> dag().map("m", "x", "$.input").parallelism(0), "the parallelism of 'm'"),
                wrong(() -> dag().sleep("s", DAY).timeout(DAY), "'s' is of kind sleep, which has no timeout"),
                wrong(() -> dag().sleep("s", DAY).retry(RetryPolicy.NONE), "'s' is of kind sleep, which has no retry"),
                wrong(() -> dag().sleep("s", DAY).concurrency(1), "'s' is of kind sleep, which has no rateLimit"),
                wrong(() -> dag().sleep("s", DAY).input(1), "'s' is of kind sleep, which has no input"),
                wrong(() -> dag().waitForEvent("w", "e", Map.of(), Duration.ZERO), "the timeout of 'w'"),
                wrong(() -> dag().approval("w", DAY.negated()), "the timeout of 'w'"),
                wrong(() -> dag().task("a", ""), "'a' must name what it calls"),
                // several at once
                wrong(() -> one().after("b").timeout(Duration.ZERO), "2 mistakes", "not a step; ", "above zero"));
    }

    @ParameterizedTest
    @MethodSource("wrongDefinitions")
    void invalidDefinitionIsRefusedWithOneSentence(Supplier<DagBuilder> dag, String... told) {
        DagBuilder builder = dag.get();
        assertThatThrownBy(builder::build)
                .isInstanceOfSatisfying(
                        DormouseException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.BAD_DAG))
                .hasMessageStartingWith("[DM1023] Expected a definition that can run, but DAG '")
                .hasMessageContainingAll(told);
    }

    static Stream<Arguments> wrongCalls() {
        return Stream.of(
                wrong(() -> dag().after("a"), "Expected a step before after"),
                wrong(() -> dag().retry(RetryPolicy.NONE), "Expected a step before retry"),
                wrong(() -> one().ask("x"), "ask to follow an approval"),
                wrong(() -> one().limit(3), "limit to follow a map"),
                wrong(() -> one().concurrency(0), "a concurrency of 1 or more"),
                wrong(() -> one().runLimit(0), "a runLimit of 1 or more"),
                wrong(() -> dag().sleep("s", "input.x"), "Expected a path such as"),
                wrong(() -> dag().sleepUntil("s", "$"), "Expected a path such as"),
                wrong(() -> dag().sleepUntil("s", "$.input..x"), "Expected a path such as"),
                wrong(() -> dag().sleepUntil("s", "$.input[x]"), "Expected a path such as"),
                wrong(() -> dag().sleepUntil("s", "1 2 3", ZoneId.of("UTC")), "cron"),
                wrong(() -> dag().task(null, "x"), "the id of a step, but got null"),
                wrong(() -> dag().task("a", null), "the name of an activity, but got null"),
                wrong(() -> one().input(Map.of("x", Double.NaN)), "cannot be written as JSON"),
                wrong(() -> one().skipIf(null), "a condition, but got null"),
                wrong(() -> dag().sleep("s", (Duration) null), "a duration, but got null"));
    }

    @ParameterizedTest
    @MethodSource("wrongCalls")
    void invalidCallIsRefusedAtOnce(Supplier<DagBuilder> call, String... told) {
        assertThatThrownBy(call::get)
                .isInstanceOfSatisfying(
                        DormouseException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.BAD_DAG))
                .hasMessageContainingAll(told);
    }

    @Test
    void validDefinitionsAreAccepted() {
        assertThat(SampleDags.everything().build().toJson()).contains("\"waitForEvent\"");
    }
}
