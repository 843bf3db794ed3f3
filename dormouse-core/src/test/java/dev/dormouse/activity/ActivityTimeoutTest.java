package dev.dormouse.activity;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Activity;
import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.RetryPolicy;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.WorkflowException;
import dev.dormouse.inspect.StepDescription;
import dev.dormouse.support.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Attempts that exceed their timeout or their heartbeat timeout. */
class ActivityTimeoutTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final ActivityOptions BRIEF = ActivityOptions.DEFAULT.withAttemptTimeout(Duration.ofSeconds(10));

    @Test
    void attemptThatIsTooLongIsInterruptedAndTriedAgain() {
        simulate(sim -> {
            List<Integer> interrupted = new ArrayList<>();
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("slow", BRIEF, String.class, () -> {
                        int attempt = Activity.info().attempt();
                        for (int i = 0; attempt < 3 && i < 3_600; i++) {
                            sim.advance(Duration.ofSeconds(1));
                            if (Thread.currentThread().isInterrupted()) {
                                interrupted.add(attempt);
                                throw new InterruptedException();
                            }
                        }
                        return "attempt " + attempt;
                    }));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("attempt 3");
            assertThat(interrupted).containsExactly(1, 2);
            assertThat(sim.elapsed()).isBetween(Duration.ofSeconds(23), Duration.ofSeconds(26));
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void lateResultOfAnAttemptThatIsDeafIsRefused() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                String result = ctx.step("deaf", BRIEF, String.class, () -> {
                    int attempt = Activity.info().attempt();
                    sim.advance(attempt == 1 ? Duration.ofSeconds(60) : Duration.ofSeconds(1));
                    sim.log("attempt " + attempt + " returns");
                    return "attempt " + attempt;
                });
                ctx.sleep(HOUR);
                return result;
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            assertThat(sim.result(handle)).isEqualTo("attempt 2");
            assertThat(sim.log()).containsExactly("attempt 2 returns", "attempt 1 returns");
            assertThat(handle.history().stream().filter(event -> event.kind().startsWith("Step")))
                    .hasSize(2);
        });
    }

    @Test
    void attemptThatNeverReturnsDelaysNoOtherRun() {
        simulate(sim -> {
            ActivityOptions twice = BRIEF.withRetry(RetryPolicy.DEFAULT.withMaxAttempts(2));
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                Promise<String> beside = ctx.async(() -> {
                    ctx.sleep(Duration.ofSeconds(5));
                    return ctx.step("beside", String.class, () -> "beside");
                });
                try {
                    ctx.step("forever", twice, () -> sim.advance(Duration.ofDays(30)));
                } catch (ActivityFailedException failed) {
                    return beside.get() + " " + failed.attempts() + " "
                            + failed.getCause().getMessage().contains(ErrorCode.ATTEMPT_TIMED_OUT.label());
                }
                return "?";
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("beside 2 true");
            assertThat(sim.elapsed()).isLessThan(Duration.ofSeconds(25));
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void timeoutOfAllAttemptsEndsTheLastOneToo() {
        simulate(sim -> {
            ActivityOptions options = ActivityOptions.DEFAULT.withTotalTimeout(Duration.ofSeconds(30));
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.step("long", options, () -> {
                    sim.log("attempt " + Activity.info().attempt());
                    sim.advance(Duration.ofSeconds(12));
                    throw new IllegalStateException("no");
                });
                return "";
            });
            WorkflowException failure = sim.failure(Scenario.start(dormouse));
            assertThat(failure)
                    .hasMessageContaining(ErrorCode.ATTEMPT_TIMED_OUT.label())
                    .hasMessageContaining("PT30S");
            assertThat(sim.log()).containsExactly("attempt 1", "attempt 2", "attempt 3");
            assertThat(sim.elapsed()).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(32));
        });
    }

    @Test
    void timeoutOfAllAttemptsHoldsAcrossTheDeathOfTheNode() {
        simulate(sim -> {
            ActivityOptions options = ActivityOptions.DEFAULT.withTotalTimeout(Duration.ofSeconds(60));
            WorkflowFunction<String, String> code = (ctx, input) -> {
                ctx.step("long", options, () -> {
                    throw new IllegalStateException("attempt " + Activity.info().attempt());
                });
                return "";
            };
            Dormouse one = Scenario.open(sim, code);
            Scenario.start(one);
            sim.advance(Duration.ofSeconds(20));
            sim.kill(one);
            Dormouse two = Scenario.open(sim, code);
            assertThat(sim.failure(two.find("w", String.class).orElseThrow())).hasMessageContaining("attempt 6");
            assertThat(sim.elapsed()).isLessThan(Duration.ofSeconds(60));
        });
    }

    @Test
    void silentAttemptIsTriedAgainAndOneThatSpeaksIsNot() {
        simulate(sim -> {
            ActivityOptions options = ActivityOptions.DEFAULT.withHeartbeatTimeout(Duration.ofSeconds(5));
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("job", options, String.class, () -> {
                        int from = Activity.lastHeartbeat(Integer.class).orElse(0);
                        sim.log(Activity.info().attempt() + " from " + from);
                        for (int i = from; i < 20; i++) {
                            sim.advance(Duration.ofSeconds(3));
                            if (i == 10 && Activity.info().attempt() == 1) {
                                sim.advance(HOUR);
                            }
                            Activity.heartbeat(i + 1);
                        }
                        return "done";
                    }));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("done");
            assertThat(sim.log()).containsExactly("1 from 0", "2 from 10");
            assertThat(sim.elapsed()).isLessThan(Duration.ofSeconds(75));
        });
    }

    @Test
    void heartbeatAfterTheTimeoutIsATypedError() {
        simulate(sim -> {
            AtomicReference<Throwable> late = new AtomicReference<>();
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("job", BRIEF, String.class, () -> {
                        if (Activity.info().attempt() == 1) {
                            sim.advance(Duration.ofMinutes(1));
                            late.set(catchThrowable(() -> Activity.heartbeat("still here")));
                        }
                        return "attempt " + Activity.info().attempt();
                    }));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("attempt 2");
            sim.await("the late heartbeat", () -> late.get() != null);
            assertClear(late.get(), ErrorCode.ATTEMPT_OVER);
        });
    }

    @Test
    void heartbeatIsSeenInDescribeAndSurvivesTheNode() {
        simulate(sim -> {
            WorkflowFunction<String, String> code =
                    (ctx, input) -> ctx.step("job", ActivityOptions.DEFAULT, String.class, () -> {
                        String before = Activity.lastHeartbeat(String.class).orElse("nothing");
                        Activity.heartbeat("began attempt " + Activity.info().attempt());
                        sim.advance(Duration.ofMinutes(2));
                        return before;
                    });
            Dormouse one = Scenario.open(sim, code);
            WorkflowHandle<String> handle = Scenario.start(one);
            sim.advance(Duration.ofSeconds(10));
            StepDescription step = handle.describe().steps().get(0);
            assertThat(step.progress()).contains("began attempt 1");
            assertThat(step.name()).isEqualTo("job");
            assertThat(step.nextAttemptAt()).isEmpty();
            sim.kill(one);
            Dormouse two = Scenario.open(sim, code);
            WorkflowHandle<String> again = two.find("w", String.class).orElseThrow();
            assertThat(sim.result(again)).isEqualTo("began attempt 1");
            sim.advance(Duration.ofSeconds(5));
            assertThat(sim.store().notes(0, again.runId())).isEmpty();
        });
    }

    @Test
    void heartbeatReportsACancel() {
        simulate(sim -> {
            AtomicReference<Throwable> told = new AtomicReference<>();
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("job", ActivityOptions.DEFAULT, String.class, () -> {
                        for (int i = 0; i < 600 && told.get() == null; i++) {
                            sim.advance(Duration.ofSeconds(1));
                            Thread.interrupted();
                            told.set(catchThrowable(
                                    () -> Activity.heartbeat(Activity.info().attempt())));
                        }
                        return "";
                    }));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(Duration.ofSeconds(10));
            handle.cancel("not wanted");
            assertClear(sim.failure(handle), ErrorCode.RUN_CANCELLED);
            assertThat(told.get()).isInstanceOf(CancelledException.class);
            assertThat(sim.elapsed()).isLessThan(Duration.ofSeconds(13));
        });
    }

    @Test
    void activityCallsOutsideOfActivitiesAreTypedErrors() {
        assertClear(catchThrowable(() -> Activity.heartbeat()), ErrorCode.OUTSIDE_ACTIVITY);
        assertClear(catchThrowable(Activity::info), ErrorCode.OUTSIDE_ACTIVITY);
        assertClear(catchThrowable(Activity::idempotencyKey), ErrorCode.OUTSIDE_ACTIVITY);
        assertClear(catchThrowable(Activity::completeLater), ErrorCode.OUTSIDE_ACTIVITY);
        assertClear(catchThrowable(() -> Activity.pause("p", HOUR)), ErrorCode.OUTSIDE_ACTIVITY);
    }
}
