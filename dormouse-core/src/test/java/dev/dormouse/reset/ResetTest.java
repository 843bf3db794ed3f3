package dev.dormouse.reset;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.Signal;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.HistoryEvent;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Resets of runs to an earlier event of their history. */
class ResetTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void stepsOfTheSharedPartAreNotTakenAgain() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.step("a", () -> sim.log("a"));
                ctx.step("b", () -> sim.log("b"));
                ctx.step("c", () -> sim.log("c"));
                return "done";
            });
            WorkflowHandle<String> old = Scenario.start(dormouse);
            sim.result(old);
            assertThat(sim.result(old.reset(3))).isEqualTo("done");
            assertThat(sim.log()).containsExactly("a", "b", "c", "c");
        });
    }

    @Test
    void runOfEveryEndCanBeReset() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.step("a", () -> sim.log("a"));
                return ctx.waitForSignal(HOUR).map(Signal::name).orElse("late");
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.awaitStatus(handle, RunStatus.WAITING);
            handle.terminate("stop");
            handle = handle.reset(2);
            sim.awaitStatus(handle, RunStatus.WAITING);
            handle.cancel("enough");
            sim.awaitStatus(handle, RunStatus.CANCELLED);
            handle = handle.reset(2);
            sim.awaitStatus(handle, RunStatus.WAITING);
            WorkflowHandle<String> open = handle;
            handle = handle.reset(2);
            assertClear(sim.failure(open), ErrorCode.RUN_TERMINATED);
            assertThat(open.history()).extracting(HistoryEvent::summary).endsWith("run terminated: reset");
            sim.awaitStatus(handle, RunStatus.WAITING);
            handle.signal("go");
            assertThat(sim.result(handle)).isEqualTo("go");
            assertThat(sim.log()).containsExactly("a");
        });
    }

    @Test
    void openRunThatExecutesIsStoppedBeforeItIsReset() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.step("a", () -> sim.log("a"));
                ctx.step("b", () -> {
                    sim.log("b begins");
                    sim.advance(MINUTE);
                });
                return "done";
            });
            WorkflowHandle<String> old = Scenario.start(dormouse);
            sim.await("b to begin", () -> sim.count("b begins") == 1);
            WorkflowHandle<String> next = old.reset(2);
            assertThat(sim.result(next)).isEqualTo("done");
            assertThat(old.describe().status()).isEqualTo(RunStatus.TERMINATED);
            assertThat(sim.log()).containsExactly("a", "b begins", "b begins");
        });
    }

    @Test
    void timerOfTheSharedPartThatIsDueFiresAtOnce() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.sleep(HOUR);
                return "woke";
            });
            WorkflowHandle<String> old = Scenario.start(dormouse);
            sim.result(old);
            Instant before = sim.now();
            assertThat(sim.result(old.reset(2))).isEqualTo("woke");
            assertThat(Duration.between(before, sim.now())).isLessThan(SECOND);
            WorkflowHandle<String> anew = latestOf(dormouse).reset(1);
            assertThat(sim.result(anew)).isEqualTo("woke");
            assertThat(Duration.between(before, sim.now())).isGreaterThan(HOUR);
        });
    }

    private static WorkflowHandle<String> latestOf(Dormouse dormouse) {
        return dormouse.find("w", String.class).orElseThrow();
    }

    @Test
    void executionTimeoutIsAsLongAsItWasAndCountsFromTheReset() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.step("a", () -> sim.log("a"));
                ctx.waitForSignal(Duration.ofDays(1));
                return "done";
            });
            WorkflowHandle<String> handle =
                    dormouse.start("w", "w", StartOptions.DEFAULT.withExecutionTimeout(HOUR), String.class, "");
            assertClear(sim.failure(handle), ErrorCode.RUN_TIMED_OUT);
            for (int i = 0; i < 3; i++) {
                sim.advance(HOUR);
                Instant before = sim.now();
                handle = i == 1 ? handle.retry() : handle.reset(2);
                assertClear(sim.failure(handle), ErrorCode.RUN_TIMED_OUT);
                assertThat(Duration.between(before, sim.now())).isBetween(HOUR, HOUR.plus(MINUTE));
            }
            handle = handle.reset(2);
            handle.signal("go");
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(sim.log()).containsExactly("a");
        });
    }

    @Test
    void inputMemoAndStartTimeStay() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> input
                            + ctx.info().memo()
                            + ctx.info().startedAt()
                            + ctx.now()
                            + ctx.info().runId());
            WorkflowHandle<String> old =
                    dormouse.start("w", "w", StartOptions.DEFAULT.withMemo("k", "v"), String.class, "input");
            String result = sim.result(old);
            sim.advance(HOUR);
            WorkflowHandle<String> next = old.reset(1);
            assertThat(sim.result(next)).isEqualTo(result);
            assertThat(next.describe().memo()).containsExactly(Map.entry("k", "v"));
        });
    }

    @Test
    void delayedAndDebouncedRunsDoNotWaitAgain() {
        for (StartOptions options :
                List.of(StartOptions.DEFAULT.withStartDelay(HOUR), StartOptions.DEFAULT.withDebounce(MINUTE, HOUR))) {
            simulate(sim -> {
                Dormouse dormouse = Scenario.open(sim, (ctx, input) -> input + ctx.now());
                dormouse.start("w", "w", options, String.class, "first");
                sim.advance(SECOND);
                WorkflowHandle<String> old = dormouse.start("w", "w", options, String.class, "second");
                String result = sim.result(old);
                Instant before = sim.now();
                assertThat(sim.result(old.reset(1))).isEqualTo(result);
                assertThat(Duration.between(before, sim.now())).isLessThan(SECOND);
            });
        }
    }

    @Test
    void runThatHasNeverBegunStillWaitsForItsInstant() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> "done");
            WorkflowHandle<String> old =
                    dormouse.start("w", "w", StartOptions.DEFAULT.withStartDelay(HOUR), String.class, "");
            sim.advance(MINUTE);
            assertThat(sim.result(old.reset(1))).isEqualTo("done");
            assertThat(sim.elapsed()).isGreaterThan(HOUR);
        });
    }

    @Test
    void numbersOutOfRangeAreRefusedWithTheRange() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.step("a", () -> sim.log("a"));
                ctx.sleep(HOUR);
                return "done";
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.awaitStatus(handle, RunStatus.WAITING);
            for (int events : new int[] {Integer.MIN_VALUE, -1, 0, 4, Integer.MAX_VALUE}) {
                Throwable refused = catchThrowable(() -> handle.reset(events));
                assertClear(refused, ErrorCode.RESET_REFUSED);
                assertThat(refused).hasMessageContaining("1 to 3").hasMessageContaining("got " + events);
            }
            assertThat(handle.describe().status()).isEqualTo(RunStatus.WAITING);
            assertThat(sim.result(handle)).isEqualTo("done");
            Throwable refused = catchThrowable(() -> handle.reset(5));
            assertThat(refused).hasMessageContaining("1 to 4");
        });
    }

    @Test
    void onlyTheLatestRunCanBeReset() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> "done");
            WorkflowHandle<String> old = Scenario.start(dormouse);
            sim.result(old);
            WorkflowHandle<String> other =
                    dormouse.start("w", "w", StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW), String.class, "");
            sim.result(other);
            Throwable refused = catchThrowable(() -> old.reset(1));
            assertClear(refused, ErrorCode.RUN_REPLACED);
            assertThat(refused).hasMessageContaining(other.runId().toString());
        });
    }

    @Test
    void runThatHasContinuedIsLeftAlone() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                if (input.isEmpty()) {
                    ctx.continueAsNew("again");
                }
                ctx.sleep(HOUR);
                return "done";
            });
            WorkflowHandle<String> first = Scenario.start(dormouse);
            sim.await("the second run", () -> !latestOf(dormouse).runId().equals(first.runId()));
            assertClear(catchThrowable(() -> first.reset(1)), ErrorCode.RESET_REFUSED);
            WorkflowHandle<String> second = latestOf(dormouse);
            WorkflowHandle<String> next = second.reset(1);
            assertThat(first.terminate("the chain has ended")).isFalse();
            first.cancel("nobody is meant");
            assertThat(sim.result(next)).isEqualTo("done");
        });
    }

    @Test
    void purgedRunIsNotFound() {
        simulate(sim -> {
            Dormouse dormouse =
                    sim.open(node -> Scenario.with(node, (ctx, input) -> "done").retention(MINUTE));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.result(handle);
            sim.advance(Duration.ofHours(1));
            assertClear(catchThrowable(() -> handle.reset(1)), ErrorCode.RUN_NOT_FOUND);
            assertClear(catchThrowable(handle::retry), ErrorCode.RUN_NOT_FOUND);
        });
    }
}
