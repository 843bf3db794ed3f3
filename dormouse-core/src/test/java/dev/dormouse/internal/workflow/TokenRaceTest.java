package dev.dormouse.internal.workflow;

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
import dev.dormouse.codec.Payload;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Races of completion from outside with timeouts, further attempts and resets. */
class TokenRaceTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final ActivityOptions MINUTE = ActivityOptions.DEFAULT
            .withAttemptTimeout(Duration.ofMinutes(1))
            .withRetry(RetryPolicy.DEFAULT.withMaxAttempts(3));

    /** Delivers a completion as {@code completeActivity} does after its check, without the notice to the owner. */
    private static void deliverUnnoticed(SimulatedDormouse sim, String text) {
        ActivityToken token = ActivityToken.of(text);
        Message.StepEnded end = new Message.StepEnded(
                token.runId(),
                token.call(),
                token.secret(),
                new Payload("json", "\"from outside\"".getBytes(StandardCharsets.UTF_8)),
                null);
        Delivery delivery = new Delivery("w", "step " + token.secret(), end.kind(), MessageCodec.encode(end));
        assertThat(sim.store()
                        .deliver(0, List.of(delivery), Duration.ofSeconds(15))
                        .get(0))
                .isInstanceOf(DeliverOutcome.Accepted.class);
    }

    /** Regression: the token outlives its attempt, and the end of the next attempt is assigned to no attempt. */
    @Test
    void completionThatIsReadAfterTheTimeoutDoesNotStickTheRun() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                Promise<String> beside = ctx.async(() -> {
                    ctx.step("beside", () -> sim.advance(Duration.ofMinutes(3)));
                    return "";
                });
                String signed = ctx.step("sign", MINUTE, String.class, () -> {
                    if (Activity.info().attempt() == 1) {
                        sim.log(Activity.completeLater());
                        return "";
                    }
                    sim.advance(Duration.ofSeconds(30));
                    return "second attempt";
                });
                beside.get();
                ctx.sleep(Duration.ofMinutes(3));
                return signed;
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(Duration.ofSeconds(65)); // it was checked five seconds ago, and the store was slow since
            deliverUnnoticed(sim, sim.log().get(0));
            for (int i = 0; i < 300; i++) {
                sim.advance(Duration.ofSeconds(1));
                assertThat(handle.describe().status()).isNotEqualTo(RunStatus.STUCK);
            }
        });
    }

    /** Regression: two tokens time out together; one is used while the other's timeout is handled. */
    @Test
    void completionBetweenTwoTimeoutsDoesNotStickTheRun() {
        simulate(sim -> {
            ActivityOptions once = MINUTE.withRetry(RetryPolicy.NONE);
            Dormouse[] node = new Dormouse[1];
            WorkflowFunction<String, String> code = (ctx, input) -> {
                Promise<String> a = ctx.async(() -> ctx.step("a", once, String.class, () -> {
                    Activity.completeLater();
                    return "";
                }));
                Promise<String> b = ctx.async(() -> ctx.step("b", once, String.class, () -> {
                    sim.log(Activity.completeLater());
                    return "";
                }));
                try {
                    a.get();
                } catch (RuntimeException timedOut) {
                    if (sim.count("completed") == 0) {
                        sim.log("completed");
                        node[0].completeActivity(sim.log().get(0), "b"); // as if by another client at this moment
                    }
                }
                String result = b.get();
                ctx.sleep(Duration.ofMinutes(10));
                return result;
            };
            Dormouse one = Scenario.open(sim, code);
            Scenario.start(one);
            sim.advance(Duration.ofSeconds(10));
            sim.kill(one);
            sim.advance(Duration.ofMinutes(5));
            node[0] = Scenario.open(sim, code);
            WorkflowHandle<String> handle = node[0].find("w", String.class).orElseThrow();
            for (int i = 0; i < 300; i++) {
                sim.advance(Duration.ofSeconds(1));
                assertThat(handle.describe().status()).isNotEqualTo(RunStatus.STUCK);
            }
        });
    }

    /** Regression: from the second attempt on, a token is refused as unknown until its attempt has returned. */
    @Test
    void tokenOfASecondAttemptMayBeUsedBeforeTheActivityReturns() {
        simulate(sim -> {
            Dormouse[] node = new Dormouse[1];
            node[0] = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("quick", MINUTE, String.class, () -> {
                        String token = Activity.completeLater();
                        if (Activity.info().attempt() == 2) {
                            node[0].completeActivity(token, "early");
                            sim.advance(Duration.ofSeconds(5));
                        }
                        return "not counted";
                    }));
            assertThat(sim.result(Scenario.start(node[0]))).isEqualTo("early");
        });
    }

    /** Regression: a token is recorded after its step was abandoned, and the end of the attempt belongs to no step. */
    @Test
    void tokenOfAStepThatIsAbandonedMeanwhileDoesNotStickTheRun() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                CancellationScope scope =
                        ctx.newCancellationScope(() -> ctx.async(() -> ctx.step("sign", MINUTE, String.class, () -> {
                            sim.advance(Duration.ofSeconds(3));
                            return Activity.completeLater();
                        })));
                scope.run();
                ctx.sleep(Duration.ofSeconds(1));
                sim.advance(Duration.ofSeconds(8)); // the code computes while the step asks for its token
                scope.cancel();
                ctx.sleep(HOUR);
                return "late";
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            for (int i = 0; i < 30; i++) {
                sim.advance(Duration.ofSeconds(1));
                assertThat(handle.describe().status()).isNotEqualTo(RunStatus.STUCK);
            }
            assertThat(sim.result(handle)).isEqualTo("late");
        });
    }

    /** Regression: a completion in the shared history does not count in the run that was reset. */
    @Test
    void retryKeepsStepsThatWereCompletedFromOutside() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                String signed = ctx.step("sign", ActivityOptions.DEFAULT, String.class, () -> {
                    sim.log(Activity.completeLater());
                    return "";
                });
                ctx.step("b", SimulatedDormouse.ONCE, () -> {
                    if (sim.count("mended") == 0) {
                        throw new IllegalStateException("broken");
                    }
                });
                return signed;
            });
            WorkflowHandle<String> old = Scenario.start(dormouse);
            sim.await("a token", () -> sim.log().size() == 1);
            sim.advance(HOUR);
            dormouse.completeActivity(sim.log().get(0), "signed");
            sim.failure(old);
            sim.log("mended");
            WorkflowHandle<String> next = old.retry();
            sim.advance(HOUR);
            assertThat(next.describe().trouble()).isEmpty();
            assertThat(sim.result(next)).isEqualTo("signed");
        });
    }

    /** Regression: a token from the shared history is invalid after a reset, and no other token is handed out. */
    @Test
    void tokenOfTheSharedHistoryWorksAfterAReset() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                Promise<String> signed = ctx.async(() -> ctx.step("sign", ActivityOptions.DEFAULT, String.class, () -> {
                    sim.log(Activity.completeLater());
                    return "";
                }));
                ctx.sleep(HOUR);
                ctx.step("b", SimulatedDormouse.ONCE, () -> {
                    if (sim.count("mended") == 0) {
                        throw new IllegalStateException("broken");
                    }
                });
                return signed.get();
            });
            WorkflowHandle<String> old = Scenario.start(dormouse);
            sim.failure(old);
            sim.log("mended");
            WorkflowHandle<String> next = old.retry();
            sim.advance(HOUR);
            dormouse.completeActivity(sim.log().get(0), "signed"); // the only token that was handed out
            assertThat(sim.result(next)).isEqualTo("signed");
        });
    }

    /** Regression: a run whose activity was failed from outside waits forever after a retry. */
    @Test
    void retryHandsOutStepsAgainThatWereFailedFromOutside() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("sign", SimulatedDormouse.ONCE, String.class, () -> {
                        sim.log(Activity.completeLater());
                        return "";
                    }));
            WorkflowHandle<String> old = Scenario.start(dormouse);
            sim.await("a token", () -> sim.log().size() == 1);
            sim.advance(HOUR);
            dormouse.failActivity(sim.log().get(0), new IllegalStateException("the pen was empty"));
            sim.failure(old);
            WorkflowHandle<String> next = old.retry();
            sim.await("another token", () -> sim.log().size() == 2);
            sim.advance(HOUR);
            dormouse.completeActivity(sim.log().get(1), "signed");
            assertThat(sim.result(next)).isEqualTo("signed");
        });
    }

    /** Regression: the total timeout of a step keeps running between the failure and the retry of the run. */
    @Test
    void retriedStepHasTimeAgain() {
        simulate(sim -> {
            ActivityOptions options = ActivityOptions.DEFAULT.withTotalTimeout(Duration.ofMinutes(1));
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("b", options, String.class, () -> {
                        sim.advance(Duration.ofSeconds(1));
                        if (sim.count("mended") == 0) {
                            throw new IllegalStateException("broken");
                        }
                        return "done";
                    }));
            WorkflowHandle<String> old = Scenario.start(dormouse);
            sim.failure(old);
            sim.advance(HOUR);
            sim.log("mended");
            assertThat(sim.result(old.retry())).isEqualTo("done");
        });
    }

    /** Regression: a completion that the store accepted before the deadline loses against it. */
    @Test
    void completionBeforeTheTimeoutWins() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                Promise<String> beside = ctx.async(() -> {
                    ctx.step("beside", () -> sim.advance(Duration.ofMinutes(3)));
                    return "";
                });
                String signed = ctx.step("sign", MINUTE.withRetry(RetryPolicy.NONE), String.class, () -> {
                    sim.log(Activity.completeLater());
                    return "";
                });
                beside.get();
                return signed;
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(Duration.ofSeconds(60).minusMillis(300));
            deliverUnnoticed(sim, sim.log().get(0));
            assertThat(sim.result(handle)).isEqualTo("from outside");
        });
    }
}
