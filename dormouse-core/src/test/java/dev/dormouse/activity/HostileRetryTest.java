package dev.dormouse.activity;

import static dev.dormouse.support.HostileScenario.HOUR;
import static dev.dormouse.support.HostileScenario.HOURLY;
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
import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.RetryPolicy;
import dev.dormouse.StartOptions;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Box;
import dev.dormouse.support.HostileScenario;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.UndoableActivities;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Attempts to provoke retries that are too frequent, too early, too late or missing. */
class HostileRetryTest {

    @Test
    void noAttemptIsEarlyAndNoNumberIsUsedTwiceWheneverNodesDie() {
        List<Duration> begun = new ArrayList<>();
        List<Integer> numbers = new ArrayList<>();
        HostileScenario.killed(
                Duration.ofSeconds(16),
                sim -> {
                    begun.clear();
                    numbers.clear();
                    return (ctx, input) -> ctx.step("shaky", ActivityOptions.DEFAULT, String.class, () -> {
                        begun.add(sim.elapsed());
                        numbers.add(Activity.info().attempt());
                        return failing(sim, 4);
                    });
                },
                (sim, handle) -> {
                    sim.result(handle);
                    for (int i = 1; i < begun.size(); i++) {
                        assertThat(numbers.get(i)).as("%s", numbers).isGreaterThan(numbers.get(i - 1));
                        Duration wait = begun.get(i).minus(begun.get(i - 1));
                        long policy = Math.min(1_000L << (numbers.get(i - 1) - 1), 10_000);
                        assertThat(wait.toMillis())
                                .as("after attempt %s", numbers.get(i - 1))
                                .isGreaterThanOrEqualTo(policy * 97 / 100);
                    }
                });
    }

    @Test
    void neverMoreAttemptsThanAllowedWheneverNodesDie() {
        AtomicInteger calls = new AtomicInteger();
        HostileScenario.killed(
                Duration.ofSeconds(8),
                sim -> {
                    calls.set(0);
                    return (ctx, input) -> ctx.step("bad", attempts(3), String.class, () -> {
                        calls.incrementAndGet();
                        throw new IOException("no");
                    });
                },
                (sim, handle) -> {
                    assertClear(sim.failure(handle), ErrorCode.RUN_FAILED);
                    assertThat(calls.get()).isBetween(1, 3);
                });
    }

    @Test
    void runThatIsCancelledInABackOffEndsAtOnceAndIsNotTriedAgain() {
        simulate(sim -> {
            Dormouse dormouse =
                    Scenario.open(sim, (ctx, input) -> ctx.step("s", HOURLY, String.class, () -> failing(sim, 9)));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(MINUTE);
            handle.cancel("not wanted");
            assertClear(sim.failure(handle), ErrorCode.RUN_CANCELLED);
            assertThat(sim.elapsed()).isLessThan(MINUTE.plusSeconds(2));
            sim.advance(HOUR.multipliedBy(3));
            assertThat(sim.log()).containsExactly("attempt 1");
            assertThat(handle.describe().steps()).isEmpty();
        });
    }

    @Test
    void runThatIsTerminatedInABackOffIsNotTriedAgain() {
        simulate(sim -> {
            Dormouse dormouse =
                    Scenario.open(sim, (ctx, input) -> ctx.step("s", HOURLY, String.class, () -> failing(sim, 9)));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(MINUTE);
            assertThat(handle.terminate("now")).isTrue();
            assertClear(sim.failure(handle), ErrorCode.RUN_TERMINATED);
            sim.advance(HOUR.multipliedBy(3));
            assertThat(sim.log()).containsExactly("attempt 1");
            assertThat(handle.describe().steps()).isEmpty();
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void runThatTimesOutInABackOffEndsThenAndIsNotTriedAgain() {
        simulate(sim -> {
            Dormouse dormouse =
                    Scenario.open(sim, (ctx, input) -> ctx.step("s", HOURLY, String.class, () -> failing(sim, 9)));
            WorkflowHandle<String> handle = dormouse.start(
                    "w", "w", StartOptions.DEFAULT.withExecutionTimeout(Duration.ofMinutes(90)), String.class, "");
            assertClear(sim.failure(handle), ErrorCode.RUN_TIMED_OUT);
            assertThat(sim.elapsed()).isBetween(Duration.ofMinutes(90), Duration.ofMinutes(91));
            sim.advance(HOUR.multipliedBy(3));
            assertThat(sim.log()).containsExactly("attempt 1", "attempt 2");
        });
    }

    @Test
    void queriesInABackOffChangeNothingOfIt() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(Box.class, () -> new Box.Open() {
                @Override
                public String run(String input) {
                    seen.add("before");
                    return Workflow.step("s", HOURLY, String.class, () -> failing(sim, 1));
                }
            }));
            Box box = dormouse.workflow(Box.class, "w");
            WorkflowHandle<String> handle = dormouse.start(() -> box.run(""));
            sim.advance(MINUTE);
            var next = handle.describe().steps().get(0).nextAttemptAt();
            for (int i = 0; i < 20; i++) {
                assertThat(box.seen()).containsExactly("before");
                sim.advance(MINUTE);
            }
            assertThat(handle.describe().steps().get(0).nextAttemptAt()).isEqualTo(next);
            assertThat(sim.log()).containsExactly("attempt 1");
            assertThat(sim.result(handle)).isEqualTo("attempt 2");
            assertThat(sim.elapsed()).isBetween(HOUR, HOUR.plusSeconds(2));
        });
    }

    @Test
    void mailInABackOffIsHandledAtOnceAndChangesNothingOfIt() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                Promise<String> step = ctx.async(() -> ctx.step("s", HOURLY, String.class, () -> failing(sim, 2)));
                int signals = 0;
                while (ctx.waitForSignal("tick", MINUTE.multipliedBy(61)).isPresent()) {
                    signals++;
                }
                return signals + " " + step.get();
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            for (int i = 0; i < 20; i++) {
                sim.advance(Duration.ofMinutes(2));
                handle.signal("tick");
            }
            assertThat(sim.result(handle)).isEqualTo("20 attempt 3");
            assertThat(sim.elapsed())
                    .isBetween(HOUR.multipliedBy(2), HOUR.multipliedBy(2).plusSeconds(2));
        });
    }

    @Test
    void stepThatIsRenamedWhileItBacksOffDoesNotMatch() {
        simulate(sim -> {
            Dormouse old = sim.open(node -> Scenario.with(
                            node, (ctx, input) -> ctx.step("old", HOURLY, String.class, () -> failing(sim, 9)))
                    .buildId("1"));
            Scenario.start(old);
            sim.advance(MINUTE);
            old.close();
            Dormouse changed = sim.open(node -> Scenario.with(
                            node, (ctx, input) -> ctx.step("new", HOURLY, String.class, () -> failing(sim, 9)))
                    .buildId("2"));
            sim.awaitStatus(latest(changed), RunStatus.STUCK);
            assertThat(latest(changed).describe().trouble())
                    .contains(ErrorCode.CODE_DOES_NOT_MATCH.label())
                    .contains("old")
                    .contains("new");
            assertThat(sim.log()).containsExactly("attempt 1");
        });
    }

    @Test
    void changedOptionsHoldFromTheNextAttemptOn() {
        for (int allowed : List.of(1, 2, 3, 5)) {
            simulate(sim -> {
                Dormouse old = sim.open(node -> Scenario.with(
                                node, (ctx, input) -> ctx.step("s", HOURLY, String.class, () -> failing(sim, 99)))
                        .buildId("1"));
                Scenario.start(old);
                sim.advance(HOUR.plus(MINUTE));
                old.close();
                Dormouse changed = sim.open(node -> Scenario.with(
                                node,
                                (ctx, input) -> ctx.step("s", attempts(allowed), String.class, () -> failing(sim, 99)))
                        .buildId("2"));
                assertThat(sim.failure(latest(changed))).hasMessageContaining("failure");
                assertThat(sim.log().size()).isBetween(2, Math.max(3, allowed));
                sim.assertStillWorks(changed);
            });
        }
    }

    @Test
    void thousandFailingRunsAreAllTriedAgainInTime() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> Scenario.with(
                            node,
                            (ctx, input) -> ctx.step("s", ActivityOptions.DEFAULT, String.class, () -> failing(sim, 3)))
                    .maxExecuting(50)
                    .maxParked(20));
            List<WorkflowHandle<String>> handles = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                handles.add(dormouse.start("w", "w" + i, String.class, ""));
            }
            Duration started = sim.elapsed();
            for (WorkflowHandle<String> handle : handles) {
                assertThat(sim.result(handle)).isEqualTo("attempt 4");
            }
            assertThat(sim.log()).hasSize(4_000);
            assertThat(sim.elapsed().minus(started)).isLessThan(Duration.ofSeconds(20));
        });
    }

    @Test
    void intervalOfZeroIsTriedAgainAtOnceAThousandTimes() {
        simulate(sim -> {
            ActivityOptions eager = ActivityOptions.DEFAULT.withRetry(
                    RetryPolicy.DEFAULT.withInitialInterval(Duration.ZERO).withMaxAttempts(1_000));
            Dormouse dormouse =
                    Scenario.open(sim, (ctx, input) -> ctx.step("s", eager, String.class, () -> failing(sim, 999)));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("attempt 1000");
            assertThat(sim.elapsed()).isLessThan(Duration.ofSeconds(60));
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void defaultOptionsOfTheNodeHoldForStepsAndStubsThatSayNothingElse() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> Scenario.with(node, (ctx, input) -> {
                        String step = HostileScenario.outcome(() -> ctx.step("a", () -> failing(sim, 9)));
                        String stub = HostileScenario.outcome(
                                () -> ctx.activities(UndoableActivities.class).act("bad"));
                        return step + " " + stub + " "
                                + ctx.step("c", attempts(3), String.class, () -> failing(sim, 2));
                    })
                    .activities(UndoableActivities.class, new UndoableActivities.Real(sim))
                    .activityOptions(attempts(2).withAttemptTimeout(SECOND.multipliedBy(30))));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("STEP_FAILED STEP_FAILED attempt 3");
            assertThat(sim.count("attempt 1")).isEqualTo(2);
            assertThat(sim.count("attempt 3")).isEqualTo(1);
        });
    }
}
