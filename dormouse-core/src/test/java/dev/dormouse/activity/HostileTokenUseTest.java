package dev.dormouse.activity;

import static dev.dormouse.support.HostileScenario.HOUR;
import static dev.dormouse.support.HostileScenario.MINUTE;
import static dev.dormouse.support.HostileScenario.SECOND;
import static dev.dormouse.support.HostileScenario.attempts;
import static dev.dormouse.support.HostileScenario.outcome;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Activity;
import dev.dormouse.ActivityOptions;
import dev.dormouse.CancellationScope;
import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.RetryPolicy;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.CancelledException;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.HostileScenario;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.testing.sim.FaultProfile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Completion from outside with bad results and by misbehaving activities. */
class HostileTokenUseTest {

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
    void resultOfAnotherTypeParksTheRunAndHurtsNoNeighbor() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                try {
                    return ""
                            + ctx.step("count", attempts(1), Integer.class, () -> {
                                sim.log(Activity.completeLater());
                                return 0;
                            });
                } catch (ActivityFailedException failed) {
                    return "failed";
                }
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            String token = token(sim);
            sim.advance(SECOND);
            dormouse.completeActivity(token, Map.of("not", "a number"));
            sim.awaitStatus(handle, RunStatus.STUCK);
            assertThat(handle.describe().trouble()).contains("step 'count'").contains("java.lang.Integer");
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void resultsThatCannotBeStoredAreRefusedAndTheTokenStaysGood() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, handingOut(sim, ActivityOptions.DEFAULT));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            String token = token(sim);
            sim.advance(SECOND);
            List<Object> itself = new ArrayList<>();
            itself.add(itself);
            assertThat(outcome(() -> dormouse.completeActivity(token, itself))).isEqualTo("PAYLOAD_NOT_SERIALIZABLE");
            assertThat(outcome(() -> dormouse.completeActivity(token, "x".repeat(3_000_000))))
                    .isEqualTo("PAYLOAD_TOO_LARGE");
            dormouse.completeActivity(token, null);
            assertThat(sim.result(handle)).isNull();
        });
    }

    @Test
    void activityThatThrowsAfterItWasCompletedIsCompleted() {
        simulate(sim -> {
            Dormouse[] node = new Dormouse[1];
            node[0] = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("s", attempts(3), String.class, () -> {
                        sim.log("attempt");
                        node[0].completeActivity(Activity.completeLater(), "early");
                        sim.advance(Duration.ofSeconds(3));
                        throw new IllegalStateException("after all");
                    }));
            assertThat(sim.result(Scenario.start(node[0]))).isEqualTo("early");
            assertThat(sim.count("attempt")).isEqualTo(1);
        });
    }

    @Test
    void activityThatThrowsAfterHandingOutItsTokenFailsAndTheTokenIsInvalid() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("s", attempts(2), String.class, () -> {
                        sim.log(Activity.completeLater());
                        if (Activity.info().attempt() == 1) {
                            throw new IllegalStateException("could not send the mail");
                        }
                        return "";
                    }));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.await("two tokens", () -> sim.log().size() == 2);
            sim.advance(SECOND);
            assertThat(outcome(() -> dormouse.completeActivity(sim.log().get(0), "old")))
                    .isEqualTo("TOKEN_USED");
            dormouse.completeActivity(sim.log().get(1), "new");
            assertThat(sim.result(handle)).isEqualTo("new");
        });
    }

    /** Nothing is recorded when the code no longer waits for a step, so the token may be accepted without effect. */
    @Test
    void cancelledScopeEndsItsHandedOutStepAndTheTokenHasNoEffect() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                CancellationScope scope =
                        ctx.newCancellationScope(() -> ctx.step("s", () -> sim.log(Activity.completeLater())));
                Promise<String> runs = ctx.async(() -> {
                    try {
                        scope.run();
                        return "?";
                    } catch (CancelledException cancelled) {
                        return "cancelled";
                    }
                });
                ctx.sleep(MINUTE);
                scope.cancel();
                String text = runs.get();
                ctx.sleep(HOUR);
                return text;
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(MINUTE.plusSeconds(5));
            assertThat(outcome(() -> dormouse.completeActivity(token(sim), null)))
                    .isIn("accepted", "TOKEN_USED");
            assertThat(outcome(() -> dormouse.completeActivity(token(sim), null)))
                    .isEqualTo("TOKEN_USED");
            assertThat(sim.result(handle)).isEqualTo("cancelled");
        });
    }

    @Test
    void tokenOfAFailedAttemptIsInvalidWhileTheNextOneIsAwaited() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("s", HostileScenario.HOURLY, String.class, () -> {
                        sim.log(Activity.completeLater());
                        throw new IllegalStateException("could not send the mail");
                    }));
            Scenario.start(dormouse);
            String token = token(sim);
            sim.advance(MINUTE);
            assertThat(outcome(() -> dormouse.completeActivity(token, "old"))).isEqualTo("TOKEN_USED");
        });
    }

    private static void isFinal(Exception problem) {
        simulate(sim -> {
            ActivityOptions options = ActivityOptions.DEFAULT
                    .withHeartbeatTimeout(Duration.ofSeconds(5))
                    .withRetry(RetryPolicy.DEFAULT.withNonRetryable(IOException.class));
            Dormouse dormouse = Scenario.open(sim, handingOut(sim, options));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            String token = token(sim);
            sim.advance(HOUR);
            dormouse.failActivity(token, problem);
            sim.advance(MINUTE);
            assertThat(sim.log()).hasSize(1);
            assertThat(sim.failure(handle)).hasMessageContaining("no pen");
        });
    }

    @Test
    void failureFromOutsideOfAClassThatIsFinalIsFinal() {
        isFinal(new IOException("no pen"));
    }

    @Test
    void failureFromOutsideThatExtendsAClassThatIsFinalIsFinal() {
        isFinal(new FileNotFoundException("no pen"));
    }

    @Test
    void failureFromOutsideThatSaysItIsFinalIsFinal() {
        isFinal(ActivityFailedException.nonRetryable("no pen"));
    }

    @Test
    void delayThatAFailureFromOutsideAsksForIsKept() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, handingOut(sim, ActivityOptions.DEFAULT));
            Scenario.start(dormouse);
            String token = token(sim);
            sim.advance(SECOND);
            dormouse.failActivity(token, ActivityFailedException.retryAfter(HOUR));
            sim.await("another attempt", () -> sim.log().size() == 2);
            assertThat(sim.elapsed()).isBetween(HOUR, HOUR.plus(MINUTE));
        });
    }

    @Test
    void completionOverABadConnectionCountsOnce() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, handingOut(sim, ActivityOptions.DEFAULT));
            AtomicReference<Dormouse> shaky = new AtomicReference<>();
            FaultProfile bad =
                    FaultProfile.CALM.withUnknown(0.3).withLocked(0.2).lastingUpTo(SECOND.multipliedBy(2));
            while (shaky.get() == null) {
                outcome(() -> shaky.set(sim.open(bad, node -> node.remoteWorkflow("w"))));
            }
            for (int i = 0; i < 10; i++) {
                int before = sim.log().size();
                WorkflowHandle<String> handle = dormouse.start("w", "w" + i, String.class, "");
                sim.await("a token", () -> sim.log().size() > before);
                String token = token(sim);
                String outcome = "STORE_UNAVAILABLE";
                for (int tries = 0; outcome.startsWith("STORE") && tries < 50; tries++) {
                    sim.advance(Duration.ofSeconds(5));
                    outcome = outcome(() -> shaky.get().completeActivity(token, "signed"));
                }
                assertThat(outcome).isIn("accepted", "TOKEN_USED");
                assertThat(sim.result(handle)).isEqualTo("signed");
            }
        });
    }
}
