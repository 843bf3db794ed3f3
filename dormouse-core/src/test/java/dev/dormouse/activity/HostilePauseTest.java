package dev.dormouse.activity;

import static dev.dormouse.support.HostileScenario.HOUR;
import static dev.dormouse.support.HostileScenario.MINUTE;
import static dev.dormouse.support.HostileScenario.attempts;
import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Activity;
import dev.dormouse.ActivityOptions;
import dev.dormouse.CancellationScope;
import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.HostileScenario;
import dev.dormouse.support.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Pauses of all lengths in all places of a workflow. */
class HostilePauseTest {

    /** Pauses {@code times} times; returns that number and the attempt. */
    private static WorkflowFunction<String, String> pausing(int times, Duration delay, ActivityOptions options) {
        return (ctx, input) -> ctx.step("p", options, String.class, () -> {
            int done = Activity.lastCheckpoint(Integer.class).orElse(0);
            if (done < times) {
                Activity.checkpoint(done + 1);
                return Activity.pause("wait", delay);
            }
            return done + " attempt " + Activity.info().attempt();
        });
    }

    @Test
    void delaysOfZeroAndLessMeanAtOnce() {
        for (Duration delay :
                List.of(Duration.ZERO, Duration.ofNanos(1), Duration.ofDays(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
            simulate(sim -> {
                Dormouse dormouse = Scenario.open(sim, pausing(3, delay, attempts(1)));
                assertThat(sim.result(Scenario.start(dormouse))).as("%s", delay).isEqualTo("3 attempt 1");
                assertThat(sim.elapsed()).isLessThan(Duration.ofSeconds(5));
            });
        }
    }

    @Test
    void absurdDelaysDelayOnlyTheirOwnRun() {
        for (Duration delay : List.of(
                Duration.ofSeconds(Long.MAX_VALUE, 999_999_999),
                Duration.ofSeconds(Long.MAX_VALUE / 1_000_000),
                Duration.ofDays(365 * 300))) {
            simulate(sim -> {
                Dormouse dormouse = Scenario.open(sim, pausing(1, delay, attempts(1)));
                WorkflowHandle<String> handle = Scenario.start(dormouse);
                sim.advance(Duration.ofDays(1));
                assertThat(handle.describe().status()).as("%s", delay).isEqualTo(RunStatus.WAITING);
                assertThat(handle.describe().steps().get(0).pause()).contains("wait");
                sim.assertStillWorks(dormouse);
                handle.cancel("enough");
                assertClear(sim.failure(handle), ErrorCode.RUN_CANCELLED);
            });
        }
    }

    @Test
    void everyPauseIsKeptWheneverNodesDie() {
        HostileScenario.killed(
                Duration.ofSeconds(9),
                sim -> pausing(3, Duration.ofSeconds(2), ActivityOptions.DEFAULT),
                (sim, handle) -> assertThat(sim.result(handle)).startsWith("3 attempt "));
    }

    @Test
    void pausedRunThatIsCancelledEndsAtOnceAndIsNotRunAgain() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.step("p", () -> {
                    sim.log("looked");
                    Activity.pause("wait", HOUR);
                });
                return "";
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(MINUTE);
            handle.cancel("stop");
            assertClear(sim.failure(handle), ErrorCode.RUN_CANCELLED);
            assertThat(sim.elapsed()).isLessThan(MINUTE.plusSeconds(2));
            sim.advance(HOUR.multipliedBy(2));
            assertThat(sim.log()).containsExactly("looked");
        });
    }

    @Test
    void pauseInAScopeThatIsCancelledEndsAndTheRunContinues() {
        Scenario.returns("cancelled", sim -> (ctx, input) -> {
            CancellationScope scope = ctx.newCancellationScope(() -> ctx.step("p", () -> {
                assertThat(sim.elapsed()).isLessThan(HOUR);
                Activity.pause("wait", HOUR.multipliedBy(2));
            }));
            Promise<String> step = ctx.async(() -> {
                try {
                    scope.run();
                    return "?";
                } catch (CancelledException cancelled) {
                    return "cancelled";
                }
            });
            ctx.sleep(MINUTE);
            scope.cancel();
            String text = step.get();
            ctx.sleep(HOUR.multipliedBy(3));
            return text;
        });
    }

    @Test
    void pausedRunTimesOutWhenItsTimeIsUp() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, pausing(99, HOUR, attempts(1)));
            WorkflowHandle<String> handle = dormouse.start(
                    "w", "w", StartOptions.DEFAULT.withExecutionTimeout(Duration.ofMinutes(90)), String.class, "");
            assertClear(sim.failure(handle), ErrorCode.RUN_TIMED_OUT);
            assertThat(sim.elapsed()).isBetween(Duration.ofMinutes(90), Duration.ofMinutes(91));
        });
    }

    @Test
    void checkpointIsNeitherOverwrittenByHeartbeatsNorLostByFailuresTimeoutsAndPauses() {
        simulate(sim -> {
            ActivityOptions options = ActivityOptions.DEFAULT.withAttemptTimeout(Duration.ofSeconds(5));
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("p", options, String.class, () -> {
                        Activity.heartbeat("noise " + sim.elapsed());
                        int run = Activity.lastHeartbeat(String.class).isPresent()
                                ? sim.log().size()
                                : -1;
                        sim.log("" + run);
                        if (run == 0) {
                            Activity.checkpoint("kept");
                        }
                        assertThat(Activity.lastCheckpoint(String.class)).contains("kept");
                        return switch (run) {
                            case 0, 2, 6 -> throw new IllegalStateException("no");
                            case 1, 3 -> Activity.pause("p", MINUTE);
                            case 4, 5 -> {
                                sim.advance(MINUTE);
                                yield "late";
                            }
                            default -> Activity.lastCheckpoint(String.class).orElseThrow();
                        };
                    }));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("kept");
            assertThat(sim.log()).hasSize(8);
        });
    }

    private static <T> T stubborn(Callable<T> body, T instead) throws Exception {
        try {
            return body.call();
        } catch (Throwable everything) {
            return instead;
        } finally {
            stubbornNoise();
        }
    }

    private static void stubbornNoise() {
        Activity.heartbeat("in a finally block");
    }

    @Test
    void pauseWithinCodeThatCatchesEverythingIsStillAPause() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("p", attempts(1), String.class, () -> {
                        int looks = Activity.lastCheckpoint(Integer.class).orElse(0);
                        Activity.checkpoint(looks + 1);
                        String swallowed = looks == 3
                                ? "ready"
                                : stubborn(() -> stubborn(() -> Activity.pause("p" + looks, HOUR), "x"), "y");
                        if (looks == 1) {
                            throw new IllegalStateException("after the pause");
                        }
                        if (looks == 2) {
                            return Activity.pause("once more, shorter", MINUTE);
                        }
                        return swallowed;
                    }));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            assertThat(sim.result(handle)).isEqualTo("ready");
            assertThat(sim.elapsed()).isGreaterThan(HOUR.multipliedBy(2));
        });
    }

    @Test
    void badPausesAreRefusedAndTheAttemptContinues() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step(
                            "p",
                            attempts(1),
                            String.class,
                            () -> new Scenario.BadCalls()
                                    .add("null name", () -> Activity.pause(null, HOUR))
                                    .add("empty name", () -> Activity.pause("", HOUR))
                                    .add("long name", () -> Activity.pause("x".repeat(100_000), HOUR))
                                    .add("half name", () -> Activity.pause("\uD83D", HOUR))
                                    .add("null delay", () -> Activity.pause("p", null))
                                    .unclear()));
            assertThat(sim.result(Scenario.start(dormouse))).isEmpty();
            assertThat(sim.elapsed()).isLessThan(MINUTE);
        });
    }

    @Test
    void failuresBeforeAPauseStillCountAfterIt() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("p", attempts(3), String.class, () -> {
                        sim.log("attempt " + Activity.info().attempt());
                        if (sim.log().size() % 2 == 0) {
                            return Activity.pause("p", MINUTE);
                        }
                        throw new IllegalStateException("no");
                    }));
            assertThat(sim.failure(Scenario.start(dormouse))).hasMessageContaining("failed 3 times");
            assertThat(sim.log()).containsExactly("attempt 1", "attempt 2", "attempt 2", "attempt 3", "attempt 3");
        });
    }
}
