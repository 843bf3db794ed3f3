package dev.dormouse.activity;

import static dev.dormouse.support.HostileScenario.HOUR;
import static dev.dormouse.support.HostileScenario.MINUTE;
import static dev.dormouse.support.HostileScenario.SECOND;
import static dev.dormouse.support.HostileScenario.attempts;
import static dev.dormouse.support.HostileScenario.failing;
import static dev.dormouse.support.HostileScenario.latest;
import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Activity;
import dev.dormouse.ActivityOptions;
import dev.dormouse.CancellationScope;
import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.RetryPolicy;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.HistoryEvent;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.HostileScenario;
import dev.dormouse.support.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Attempts that end at the worst moment or never. */
class HostileTimeoutTest {
    private static final Duration TEN = Duration.ofSeconds(10);
    private static final ActivityOptions BRIEF = ActivityOptions.DEFAULT.withAttemptTimeout(TEN);

    @Test
    void attemptThatEndsWithItsTimeIsEitherInTimeOrTooLateAndNeverBoth() {
        for (int millis = -3; millis <= 3; millis++) {
            Duration time = TEN.plusMillis(millis);
            simulate(sim -> {
                Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                    String result = ctx.step("s", BRIEF, String.class, () -> {
                        int attempt = Activity.info().attempt();
                        if (attempt == 1) {
                            sim.advance(time);
                        }
                        return "" + attempt;
                    });
                    ctx.sleep(HOUR);
                    return result;
                });
                WorkflowHandle<String> handle = Scenario.start(dormouse);
                String result = sim.result(handle);
                long failures = Scenario.kinds(handle).stream()
                        .filter(kind -> kind.startsWith("Step") && !kind.equals("StepCompleted"))
                        .count();
                assertThat(result).isEqualTo(failures == 0 ? "1" : "2");
            });
        }
    }

    @Test
    void interruptOfOneAttemptIsNotSeenByOthers() {
        simulate(sim -> {
            AtomicInteger leaked = new AtomicInteger();
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                for (int i = 0; i < 20; i++) {
                    ctx.step("deaf", BRIEF, () -> {
                        leaked.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
                        sim.advance(Activity.info().attempt() == 1 ? Duration.ofSeconds(11) : SECOND);
                    });
                    leaked.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
                    ctx.step("own", () -> Thread.currentThread().interrupt());
                    leaked.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
                }
                return "done";
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("done");
            assertThat(leaked).hasValue(0);
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void hundredHungAttemptsDoNotKeepTheNodeFromExecutingOthers() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> Scenario.with(node, (ctx, input) -> {
                        ctx.step("hang", BRIEF.withRetry(RetryPolicy.NONE), () -> sim.advance(Duration.ofDays(20)));
                        return "";
                    })
                    .maxExecuting(20));
            List<WorkflowHandle<String>> hung = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                hung.add(dormouse.start("w", "w" + i, String.class, ""));
            }
            for (WorkflowHandle<String> handle : hung) {
                assertThat(sim.failure(handle)).hasMessageContaining(ErrorCode.ATTEMPT_TIMED_OUT.label());
            }
            assertThat(sim.elapsed()).isLessThan(Duration.ofMinutes(3));
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void nodeClosesInTimeWhileAttemptsHangAndAnotherContinues() {
        simulate(sim -> {
            WorkflowFunction<String, String> code = (ctx, input) -> ctx.step("s", BRIEF, String.class, () -> {
                sim.log("attempt " + Activity.info().attempt());
                sim.advance(sim.log().size() <= 2 ? Duration.ofDays(1) : SECOND);
                return "attempt " + Activity.info().attempt();
            });
            Dormouse one = sim.open(node -> Scenario.with(node, code).closeGrace(Duration.ofSeconds(3)));
            Scenario.start(one);
            sim.advance(Duration.ofSeconds(13));
            assertThat(sim.log()).containsExactly("attempt 1", "attempt 2");
            Duration before = sim.elapsed();
            one.close();
            assertThat(sim.elapsed().minus(before)).isLessThan(Duration.ofSeconds(5));
            Dormouse two = Scenario.open(sim, code);
            String result = sim.result(latest(two));
            assertThat(sim.log()).hasSize(3).last().isEqualTo(result);
            sim.advance(Duration.ofDays(2));
            assertThat(sim.result(latest(two))).isEqualTo(result);
        });
    }

    @Test
    void lateFailureOfAnEndedAttemptDoesNotFailTheNext() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) ->
                            ctx.step("s", BRIEF.withRetry(RetryPolicy.DEFAULT.withMaxAttempts(2)), String.class, () -> {
                                if (Activity.info().attempt() == 1) {
                                    sim.advance(Duration.ofSeconds(15));
                                    throw new IllegalStateException("late");
                                }
                                sim.advance(Duration.ofSeconds(8));
                                return "in time";
                            }));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("in time");
        });
    }

    @Test
    void latePauseAndLateTokenOfAnAttemptThatIsOverAreRefusedOrWithoutEffect() {
        simulate(sim -> {
            List<String> outcomes = new ArrayList<>();
            Dormouse[] node = new Dormouse[1];
            node[0] = Scenario.open(sim, (ctx, input) -> {
                String result = ctx.step("s", BRIEF, String.class, () -> {
                    if (Activity.info().attempt() == 1) {
                        sim.advance(Duration.ofSeconds(12));
                        outcomes.add(HostileScenario.outcome(() -> Activity.checkpoint("late")));
                        outcomes.add(HostileScenario.outcome(
                                () -> node[0].completeActivity(Activity.completeLater(), "late token")));
                        return Activity.pause("late", HOUR);
                    }
                    sim.advance(Duration.ofSeconds(5));
                    return "attempt 2 " + Activity.lastCheckpoint(String.class).isPresent();
                });
                ctx.sleep(MINUTE);
                return result;
            });
            assertThat(sim.result(Scenario.start(node[0]))).isEqualTo("attempt 2 false");
            assertThat(sim.elapsed()).isLessThan(MINUTE.multipliedBy(2));
            assertThat(outcomes)
                    .hasSize(2)
                    .doesNotContain("accepted,accepted")
                    .last()
                    .isNotEqualTo("accepted");
        });
    }

    @Test
    void lateResultsAfterCancelTerminateAndTimeoutOfTheRunChangeNothing() {
        for (RunStatus end : List.of(RunStatus.CANCELLED, RunStatus.TERMINATED, RunStatus.TIMED_OUT)) {
            simulate(sim -> {
                Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                    ctx.step("deaf", () -> {
                        sim.advance(MINUTE);
                        sim.log("returned");
                    });
                    ctx.step("next", () -> sim.log("next"));
                    return "";
                });
                WorkflowHandle<String> handle = dormouse.start(
                        "w", "w", StartOptions.DEFAULT.withExecutionTimeout(Duration.ofSeconds(20)), String.class, "");
                sim.advance(TEN);
                if (end == RunStatus.CANCELLED) {
                    handle.cancel("stop");
                } else if (end == RunStatus.TERMINATED) {
                    handle.terminate("stop");
                }
                sim.failure(handle);
                assertThat(handle.describe().status()).isEqualTo(end);
                assertThat(sim.elapsed()).isLessThan(Duration.ofSeconds(30));
                List<HistoryEvent> history = handle.history();
                sim.advance(HOUR);
                assertThat(sim.log()).containsExactly("returned");
                assertThat(handle.history()).isEqualTo(history);
                sim.assertStillWorks(dormouse);
            });
        }
    }

    @Test
    void timeOfAllAttemptsThatPassedWhileEverythingWasDownAllowsNoOther() {
        nothingIsTriedAfterAnHourOfDarkness(ActivityOptions.DEFAULT.withTotalTimeout(MINUTE));
    }

    @Test
    void totalTimeOfThePolicyThatPassedWhileEverythingWasDownAllowsNoOther() {
        nothingIsTriedAfterAnHourOfDarkness(
                ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withMaxDuration(MINUTE)));
    }

    private static void nothingIsTriedAfterAnHourOfDarkness(ActivityOptions options) {
        simulate(sim -> {
            WorkflowFunction<String, String> code =
                    (ctx, input) -> ctx.step("s", options, String.class, () -> failing(sim, 99));
            Dormouse one = Scenario.open(sim, code);
            Scenario.start(one);
            sim.advance(Duration.ofSeconds(5));
            sim.kill(one);
            int before = sim.log().size();
            sim.advance(HOUR);
            Dormouse two = Scenario.open(sim, code);
            assertClear(sim.failure(latest(two)), ErrorCode.RUN_FAILED);
            assertThat(sim.log()).hasSize(before);
        });
    }

    @Test
    void timeOfAllAttemptsHoldsForPausesToo() {
        simulate(sim -> {
            ActivityOptions options = ActivityOptions.DEFAULT.withTotalTimeout(Duration.ofMinutes(10));
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.step("s", options, () -> Activity.pause("long", HOUR));
                return "";
            });
            assertThat(sim.failure(Scenario.start(dormouse))).hasMessageContaining("PT10M");
            assertThat(sim.elapsed()).isLessThan(Duration.ofMinutes(11));
        });
    }

    @Test
    void attemptTimeoutsEndEachStepOfOneNameOnItsOwn() {
        HostileScenario.killed(
                Duration.ofSeconds(30),
                sim -> (ctx, input) -> {
                    List<Promise<String>> all = new ArrayList<>();
                    for (int i = 0; i < 4; i++) {
                        int number = i;
                        all.add(ctx.async(() -> ctx.step("same", BRIEF, String.class, () -> {
                            HostileScenario.interruptibly(
                                    sim, number % 2 == 0 || Activity.info().attempt() > 3 ? SECOND : MINUTE);
                            return "r" + number;
                        })));
                    }
                    return String.join(" ", Promise.allOf(all).get());
                },
                (sim, handle) -> assertThat(sim.result(handle)).isEqualTo("r0 r1 r2 r3"));
    }

    @Test
    void deafStepWhoseScopeIsCancelledDoesNotHoldUpTheRunAndItsLateResultIsGone() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                CancellationScope scope = ctx.newCancellationScope(
                        () -> ctx.step("deaf", attempts(5), () -> sim.advance(Duration.ofMinutes(5))));
                Promise<String> runs = ctx.async(() -> {
                    try {
                        scope.run();
                        return "?";
                    } catch (CancelledException cancelled) {
                        return "cancelled";
                    }
                });
                ctx.sleep(TEN);
                scope.cancel();
                String text = runs.get()
                        + Duration.between(ctx.info().startedAt(), ctx.now()).toSeconds();
                ctx.sleep(HOUR);
                return text;
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("cancelled10");
        });
    }
}
