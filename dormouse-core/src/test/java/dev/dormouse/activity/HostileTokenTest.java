package dev.dormouse.activity;

import static dev.dormouse.support.HostileScenario.HOUR;
import static dev.dormouse.support.HostileScenario.MINUTE;
import static dev.dormouse.support.HostileScenario.SECOND;
import static dev.dormouse.support.HostileScenario.attempts;
import static dev.dormouse.support.HostileScenario.latest;
import static dev.dormouse.support.HostileScenario.outcome;
import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Activity;
import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.Promise;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.HostileScenario;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Completion from outside at the worst moments. */
class HostileTokenTest {

    private static WorkflowFunction<String, String> handingOut(SimulatedDormouse sim, ActivityOptions options) {
        return (ctx, input) -> {
            String result = ctx.step("sign", options, String.class, () -> {
                sim.log(Activity.completeLater());
                return "not counted";
            });
            ctx.sleep(HOUR);
            return result;
        };
    }

    private static String token(SimulatedDormouse sim) {
        sim.await("a token", () -> !sim.log().isEmpty());
        return sim.log().get(sim.log().size() - 1);
    }

    @Test
    void exactlyOneOfManyAtOnceCompletesIt() {
        for (int pause : List.of(0, 1, 3, 1_000)) {
            simulate(sim -> {
                WorkflowFunction<String, String> code = handingOut(sim, attempts(1));
                Dormouse one = Scenario.open(sim, code);
                Dormouse two = Scenario.open(sim, code);
                WorkflowHandle<String> handle = Scenario.start(one);
                String token = token(sim);
                sim.advance(Duration.ofMillis(pause));
                List<String> outcomes = new ArrayList<>();
                List<String> winners = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    Dormouse node = i % 2 == 0 ? one : two;
                    String result = "result " + i;
                    sim.inBackground(() -> {
                        String outcome = outcome(() -> node.completeActivity(token, result));
                        outcomes.add(outcome);
                        if (outcome.equals("accepted")) {
                            winners.add(result);
                        }
                    });
                }
                String result = sim.result(handle);
                sim.await("all answers", () -> outcomes.size() == 10);
                assertThat(winners).containsExactly(result);
                assertThat(outcomes.stream().filter("TOKEN_USED"::equals)).hasSize(9);
            });
        }
    }

    @Test
    void completionThatWasAcceptedCountsWheneverTheNodesDie() {
        for (Duration moment : HostileScenario.moments(Duration.ofSeconds(4))) {
            simulate(sim -> {
                UnaryOperator<DormouseBuilder> setUp =
                        node -> Scenario.with(node, handingOut(sim, ActivityOptions.DEFAULT));
                Dormouse one = sim.open(setUp);
                Scenario.start(one);
                String token = token(sim);
                String[] outcome = {""};
                Dormouse two = sim.open(setUp);
                sim.inBackground(() -> outcome[0] = outcome(() -> two.completeActivity(token, "signed")));
                sim.advance(moment);
                sim.kill(one);
                sim.await("an answer", () -> !outcome[0].isEmpty());
                if (!outcome[0].equals("accepted")) {
                    assertThat(outcome[0]).isIn("TOKEN_USED", "BAD_TOKEN");
                    sim.await("another token", () -> sim.log().size() > 1);
                    sim.advance(SECOND);
                    two.completeActivity(token(sim), "signed");
                }
                assertThat(sim.result(latest(two))).isEqualTo("signed");
                assertThat(sim.log().size()).isLessThanOrEqualTo(outcome[0].equals("accepted") ? 1 : 2);
            });
        }
    }

    @Test
    void completionBeforeTheTimeoutIsEitherAcceptedAndCountsOrRefused() {
        for (int millis = -12; millis <= 6; millis++) {
            Duration moment = MINUTE.plusMillis(millis);
            simulate(sim -> {
                Dormouse dormouse =
                        Scenario.open(sim, handingOut(sim, attempts(1).withAttemptTimeout(MINUTE)));
                WorkflowHandle<String> handle = Scenario.start(dormouse);
                String token = token(sim);
                sim.advance(moment);
                String outcome = outcome(() -> dormouse.completeActivity(token, "signed"));
                Duration after = Duration.between(handle.describe().startedAt().plus(MINUTE), sim.now());
                if (outcome.equals("accepted") && after.isNegative()) {
                    String result = HostileScenario.outcome(
                            () -> assertThat(sim.result(handle)).isEqualTo("signed"));
                    assertThat(result)
                            .as("accepted %s after the end of the attempt's time", after)
                            .isEqualTo("accepted");
                } else if (!outcome.equals("accepted")) { // after the time was up, a moment is left to chance
                    assertThat(outcome).isEqualTo("TOKEN_USED");
                    assertThat(sim.failure(handle)).hasMessageContaining(ErrorCode.ATTEMPT_TIMED_OUT.label());
                }
            });
        }
    }

    @Test
    void completionInTimeCountsEvenWhenItIsReadLongAfterTheDeadline() {
        simulate(sim -> {
            WorkflowFunction<String, String> code = handingOut(sim, attempts(1).withAttemptTimeout(MINUTE));
            Dormouse one = Scenario.open(sim, code);
            Dormouse other = sim.open(node -> node.remoteWorkflow("w"));
            Scenario.start(one);
            String token = token(sim);
            sim.advance(Duration.ofSeconds(10));
            sim.kill(one);
            sim.advance(Duration.ofSeconds(10));
            other.completeActivity(token, "signed");
            sim.advance(HOUR);
            Dormouse two = Scenario.open(sim, code);
            assertThat(sim.result(latest(two))).isEqualTo("signed");
        });
    }

    @Test
    void completionBesideACancelIsEitherAcceptedOrRefusedAndTheRunEnds() {
        for (int millis = -4; millis <= 4; millis++) {
            Duration moment = Duration.ofMillis(10 + millis);
            simulate(sim -> {
                Dormouse dormouse = Scenario.open(sim, handingOut(sim, ActivityOptions.DEFAULT));
                WorkflowHandle<String> handle = Scenario.start(dormouse);
                String token = token(sim);
                sim.inBackground(() -> {
                    sim.advance(Duration.ofMillis(10));
                    handle.cancel("stop");
                });
                sim.advance(moment);
                assertThat(outcome(() -> dormouse.completeActivity(token, "signed")))
                        .isIn("accepted", "TOKEN_USED");
                assertClear(sim.failure(handle), ErrorCode.RUN_CANCELLED);
                assertThat(sim.log()).hasSize(1);
            });
        }
    }

    @Test
    void tokensOfClosedRunsAreTypedErrors() {
        for (RunStatus end : List.of(RunStatus.TERMINATED, RunStatus.CANCELLED, RunStatus.TIMED_OUT)) {
            simulate(sim -> {
                Dormouse dormouse = Scenario.open(sim, handingOut(sim, ActivityOptions.DEFAULT));
                WorkflowHandle<String> handle =
                        dormouse.start("w", "w", StartOptions.DEFAULT.withExecutionTimeout(MINUTE), String.class, "");
                String token = token(sim);
                sim.advance(SECOND);
                if (end == RunStatus.TERMINATED) {
                    handle.terminate("now");
                } else if (end == RunStatus.CANCELLED) {
                    handle.cancel("now");
                }
                sim.awaitStatus(handle, end);
                assertThat(outcome(() -> dormouse.completeActivity(token, "x"))).isEqualTo("TOKEN_USED");
                assertThat(outcome(() -> dormouse.failActivity(token, new IOException())))
                        .isEqualTo("TOKEN_USED");
                sim.assertStillWorks(dormouse);
            });
        }
    }

    @Test
    void tokenOfARunThatContinuedAsNewDoesNotCompleteTheStepOfTheNext() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                Promise<String> sign = ctx.async(() -> ctx.step("sign", attempts(1), String.class, () -> {
                    sim.log(Activity.completeLater());
                    return "";
                }));
                if (input.isEmpty()) {
                    ctx.sleep(MINUTE);
                    ctx.continueAsNew("next");
                }
                return sign.get();
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.await("two tokens", () -> sim.log().size() == 2);
            sim.advance(SECOND);
            assertThat(outcome(() -> dormouse.completeActivity(sim.log().get(0), "old")))
                    .isEqualTo("TOKEN_USED");
            dormouse.completeActivity(sim.log().get(1), "new");
            assertThat(sim.result(handle)).isEqualTo("new");
        });
    }
}
