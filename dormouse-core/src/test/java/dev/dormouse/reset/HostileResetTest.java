package dev.dormouse.reset;

import static dev.dormouse.support.HostileScenario.HOUR;
import static dev.dormouse.support.HostileScenario.HOURLY;
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
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.HostileScenario;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.testing.memory.UserTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Resets and retries of runs whose steps back off, pause, or are handed out. */
class HostileResetTest {

    private static boolean mended(SimulatedDormouse sim) {
        return sim.count("mended") > 0;
    }

    @Test
    void runInABackOffCanBeResetToEachOfItsEvents() {
        AtomicInteger most = new AtomicInteger(1);
        for (int events = 1; events <= most.get(); events++) {
            int shared = events;
            simulate(sim -> {
                Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                    ctx.step("a", () -> sim.log("a"));
                    String b = ctx.step("b", HOURLY, String.class, () -> {
                        sim.log("b");
                        if (!mended(sim)) {
                            throw new IllegalStateException("no");
                        }
                        return "b";
                    });
                    ctx.sleep(MINUTE);
                    return b;
                });
                WorkflowHandle<String> old = Scenario.start(dormouse);
                sim.advance(HOUR.multipliedBy(2).plus(MINUTE));
                most.set(old.history().size());
                sim.log("mended");
                Duration before = sim.elapsed();
                WorkflowHandle<String> next = old.reset(shared);
                assertThat(sim.result(next)).as("%s events", shared).isEqualTo("b");
                assertThat(sim.elapsed().minus(before)).isLessThan(HOUR.plus(MINUTE.multipliedBy(2)));
                assertThat(sim.count("b")).isEqualTo(4);
                assertThat(old.describe().status()).isEqualTo(RunStatus.TERMINATED);
                sim.advance(HOUR.multipliedBy(2));
                assertThat(sim.count("b")).isEqualTo(4);
            });
        }
    }

    @Test
    void pausedRunCanBeResetToEachOfItsEventsAndKeepsTheCheckpointOfThem() {
        AtomicInteger most = new AtomicInteger(1);
        for (int events = 1; events <= most.get(); events++) {
            int shared = events;
            simulate(sim -> {
                Dormouse dormouse = Scenario.open(
                        sim,
                        (ctx, input) -> ctx.step("p", attempts(1), String.class, () -> {
                            int looks = Activity.lastCheckpoint(Integer.class).orElse(0);
                            if (looks < 5) {
                                Activity.checkpoint(looks + 1);
                                return Activity.pause("wait", HOUR);
                            }
                            return "" + looks;
                        }));
                WorkflowHandle<String> old = Scenario.start(dormouse);
                sim.advance(HOUR.multipliedBy(2).plus(MINUTE));
                most.set(old.history().size());
                assertThat(sim.result(old.reset(shared)))
                        .as("%s events", shared)
                        .isEqualTo("5");
            });
        }
        assertThat(most.get()).isGreaterThan(2);
    }

    @Test
    void handedOutStepOfARunThatIsResetCanStillBeCompletedByOneToken() {
        AtomicInteger most = new AtomicInteger(1);
        for (int events = 1; events <= most.get(); events++) {
            int shared = events;
            simulate(sim -> {
                Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                    ctx.step("a", () -> {});
                    return ctx.step("sign", ActivityOptions.DEFAULT, String.class, () -> {
                        sim.log(Activity.completeLater());
                        return "";
                    });
                });
                WorkflowHandle<String> old = Scenario.start(dormouse);
                sim.advance(MINUTE);
                most.set(old.history().size());
                WorkflowHandle<String> next = old.reset(shared);
                sim.advance(MINUTE);
                List<String> outcomes = new ArrayList<>();
                for (String token : List.copyOf(sim.log())) {
                    outcomes.add(outcome(() -> dormouse.completeActivity(token, "signed")));
                }
                assertThat(outcomes)
                        .as("%s events of %s", shared, old.history())
                        .containsOnlyOnce("accepted");
                assertThat(sim.result(next)).isEqualTo("signed");
            });
        }
    }

    @Test
    void stepThatUsedUpItsAttemptsHasAllOfThemAgainAfterRetry() {
        simulate(sim -> {
            List<String> keys = new ArrayList<>();
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("s", attempts(3), String.class, () -> {
                        keys.add(Activity.idempotencyKey());
                        if (keys.size() < 6) {
                            throw new IllegalStateException("no");
                        }
                        return "done";
                    }));
            WorkflowHandle<String> old = Scenario.start(dormouse);
            assertClear(sim.failure(old), ErrorCode.RUN_FAILED);
            assertThat(sim.result(old.retry())).isEqualTo("done");
            assertThat(keys).hasSize(6);
            assertThat(keys.stream().distinct()).hasSize(1);
        });
    }

    @Test
    void stepWhoseTimeWasUpHasAllOfItAgainAfterRetry() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) ->
                            ctx.step("s", ActivityOptions.DEFAULT.withTotalTimeout(MINUTE), String.class, () -> {
                                sim.log("attempt");
                                if (!mended(sim) || sim.count("attempt") % 2 == 0) {
                                    throw new IllegalStateException("no");
                                }
                                return "done";
                            }));
            WorkflowHandle<String> old = Scenario.start(dormouse);
            assertClear(sim.failure(old), ErrorCode.RUN_FAILED);
            sim.advance(HOUR);
            sim.log("mended");
            assertThat(sim.result(old.retry())).isEqualTo("done");
        });
    }

    @Test
    void runThatTimedOutInABackOffContinuesAfterRetry() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("s", HOURLY, String.class, () -> {
                        sim.log("attempt " + Activity.info().attempt());
                        if (Activity.info().attempt() < 4) {
                            throw new IllegalStateException("no");
                        }
                        return "done";
                    }));
            WorkflowHandle<String> old = dormouse.start(
                    "w", "w", StartOptions.DEFAULT.withExecutionTimeout(Duration.ofMinutes(130)), String.class, "");
            assertClear(sim.failure(old), ErrorCode.RUN_TIMED_OUT);
            assertThat(sim.result(old.retry())).isEqualTo("done");
            assertThat(sim.log()).containsExactly("attempt 1", "attempt 2", "attempt 3", "attempt 4");
        });
    }

    @Test
    void rowsOfTransactionsBeforeTheFailureAreNotAddedAgainByRetry() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.transaction("a", c -> c.unwrap(UserTable.class).add("a"));
                ctx.transaction("b", attempts(2), c -> {
                    c.unwrap(UserTable.class).add("b");
                    if (!mended(sim)) {
                        throw new IllegalStateException("no");
                    }
                });
                return "done";
            });
            WorkflowHandle<String> old = Scenario.start(dormouse);
            assertClear(sim.failure(old), ErrorCode.RUN_FAILED);
            assertThat(sim.store().userRows()).containsExactly("a");
            sim.log("mended");
            assertThat(sim.result(old.retry())).isEqualTo("done");
            assertThat(sim.store().userRows()).containsExactly("a", "b");
        });
    }

    @Test
    void runThatIsResetWhileItsStepIsUnderWayIsNotDisturbedByTheOldOne() {
        for (int millis : List.of(0, 1, 5, 20, 1_000, 9_999, 10_001)) {
            simulate(sim -> {
                Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                    ctx.step("s", attempts(2), () -> {
                        Activity.heartbeat("words");
                        sim.advance(Duration.ofSeconds(10));
                        sim.log("row");
                    });
                    ctx.sleep(SECOND);
                    return ctx.info().runId().toString();
                });
                WorkflowHandle<String> old = Scenario.start(dormouse);
                sim.advance(Duration.ofMillis(millis));
                WorkflowHandle<String> next = old.reset(1);
                sim.result(next);
                assertThat(next.describe().status()).isEqualTo(RunStatus.COMPLETED);
                assertThat(Scenario.kinds(next)).containsOnlyOnce("StepCompleted");
                sim.advance(MINUTE);
                assertThat(old.describe().status()).isEqualTo(RunStatus.TERMINATED);
                assertThat(sim.store().notes(0, old.runId())).isEmpty();
                sim.assertStillWorks(dormouse);
            });
        }
    }

    @Test
    void resetOfABackOffSurvivesTheDeathOfItsNode() {
        for (Duration moment : HostileScenario.moments(Duration.ofSeconds(4))) {
            simulate(sim -> {
                WorkflowFunction<String, String> code =
                        (ctx, input) -> ctx.step("s", ActivityOptions.DEFAULT, String.class, () -> {
                            if (!mended(sim)) {
                                throw new IllegalStateException("no");
                            }
                            return "done";
                        });
                Dormouse one = Scenario.open(sim, code);
                WorkflowHandle<String> old = Scenario.start(one);
                sim.advance(Duration.ofSeconds(5));
                old.reset(old.history().size());
                sim.log("mended");
                sim.advance(moment);
                sim.kill(one);
                Dormouse two = Scenario.open(sim, code);
                assertThat(latest(two).runId()).isNotEqualTo(old.runId());
                assertThat(sim.result(latest(two))).isEqualTo("done");
            });
        }
    }
}
