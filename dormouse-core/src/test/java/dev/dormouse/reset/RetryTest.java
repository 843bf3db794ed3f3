package dev.dormouse.reset;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.Signal;
import dev.dormouse.StartOptions;
import dev.dormouse.StepAction;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.ListOptions;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Retries of failed runs. */
class RetryTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    /** A step that fails until the log contains "mended". */
    private static StepAction broken(SimulatedDormouse sim, String name) {
        return () -> {
            sim.log(name);
            if (sim.count("mended") == 0) {
                throw new IllegalStateException(name + " is broken");
            }
        };
    }

    private static WorkflowHandle<String> latest(Dormouse dormouse) {
        return dormouse.find("w", String.class).orElseThrow();
    }

    @Test
    void failedStepIsTakenAgainAndNothingBeforeIt() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                String id = ctx.randomUuid().toString();
                ctx.step("a", () -> sim.log("a"));
                ctx.step("b", broken(sim, "b"));
                ctx.step("c", () -> sim.log("c"));
                return id.equals(ctx.step("id", String.class, () -> id)) ? "done" : "changed";
            });
            WorkflowHandle<String> old = Scenario.start(dormouse);
            assertClear(sim.failure(old), ErrorCode.RUN_FAILED);
            WorkflowHandle<String> second = old.retry();
            assertClear(sim.failure(second), ErrorCode.RUN_FAILED);
            sim.log("mended");
            WorkflowHandle<String> third = second.retry();
            assertThat(sim.result(third)).isEqualTo("done");
            assertThat(sim.log()).containsExactly("a", "b", "b", "mended", "b", "c");
            assertThat(Set.of(old.runId(), second.runId(), third.runId())).hasSize(3);
            assertThat(latest(dormouse).runId()).isEqualTo(third.runId());
            assertClear(sim.failure(old), ErrorCode.RUN_FAILED);
        });
    }

    @Test
    void failureThatTheCodeHadCaughtIsNotTheOneToRetry() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                caught(() -> ctx.step("optional", broken(sim, "optional")));
                ctx.step("a", () -> sim.log("a"));
                ctx.step("b", broken(sim, "b"));
                caught(() -> ctx.step("never", broken(sim, "never")));
                return "done";
            });
            WorkflowHandle<String> old = Scenario.start(dormouse);
            sim.failure(old);
            sim.log("mended");
            assertThat(sim.result(old.retry())).isEqualTo("done");
            assertThat(sim.log()).containsExactly("optional", "a", "b", "mended", "b", "never");
        });
    }

    private static void caught(Runnable body) {
        try {
            body.run();
        } catch (ActivityFailedException expected) {
            // it continues without
        }
    }

    @Test
    void causeIsFoundThroughWrappersAndAfterCompensation() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                try {
                    ctx.step("b", broken(sim, "b"));
                } catch (ActivityFailedException failed) {
                    ctx.step("undo", () -> sim.log("undo"));
                    caught(() -> ctx.step("tell", broken(sim, "tell")));
                    throw new IllegalArgumentException("wrapped", new RuntimeException("twice", failed));
                }
                return "done";
            });
            WorkflowHandle<String> old = Scenario.start(dormouse);
            sim.failure(old);
            sim.log("mended");
            assertThat(sim.result(old.retry())).isEqualTo("done");
            assertThat(sim.log()).containsExactly("b", "undo", "tell", "mended", "b");
        });
    }

    @Test
    void stepIsRepeatedEvenWhereTheCodeThrewAnotherExceptionForIt() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.step("a", () -> sim.log("a"));
                try {
                    ctx.step("b", broken(sim, "b"));
                } catch (ActivityFailedException failed) {
                    throw new IllegalArgumentException("no cause");
                }
                return "done";
            });
            WorkflowHandle<String> old = Scenario.start(dormouse);
            sim.failure(old);
            sim.log("mended");
            assertThat(sim.result(old.retry())).isEqualTo("done");
            assertThat(sim.log()).containsExactly("a", "b", "mended", "b");
        });
    }

    @Test
    void correctedCodeContinuesWhereTheCodeItselfHadFailed() {
        simulate(sim -> {
            WorkflowFunction<String, String> wrong = (ctx, input) -> {
                caught(() -> ctx.step("optional", broken(sim, "optional")));
                ctx.step("a", () -> sim.log("a"));
                ctx.sleep(HOUR);
                throw new NullPointerException("a mistake");
            };
            WorkflowFunction<String, String> right = (ctx, input) -> {
                caught(() -> ctx.step("optional", broken(sim, "optional")));
                ctx.step("a", () -> sim.log("a"));
                ctx.sleep(HOUR);
                ctx.step("b", () -> sim.log("b"));
                return "done";
            };
            Dormouse old = sim.open(node -> Scenario.with(node, wrong).buildId("wrong"));
            sim.failure(Scenario.start(old));
            old.close();
            Dormouse mended = sim.open(node -> Scenario.with(node, right).buildId("right"));
            assertThat(sim.result(latest(mended).retry())).isEqualTo("done");
            assertThat(sim.log()).containsExactly("optional", "a", "b");
            assertThat(sim.elapsed()).isBetween(HOUR, HOUR.plus(MINUTE));
        });
    }

    @Test
    void mailAfterTheFailedStepIsNotLost() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.step("slow", () -> {
                    sim.advance(MINUTE);
                    broken(sim, "slow").run();
                });
                return ctx.waitForSignal(HOUR).map(Signal::name).orElse("none");
            });
            WorkflowHandle<String> old = Scenario.start(dormouse);
            old.signal("early");
            sim.failure(old);
            sim.log("mended");
            assertThat(sim.result(old.retry())).isEqualTo("early");
        });
    }

    @Test
    void lastOfTheRunsThatContinuedAsEachOtherIsMeant() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                if (input.length() < 3) {
                    ctx.continueAsNew(input + "x");
                }
                ctx.step("b", broken(sim, "b"));
                return input;
            });
            WorkflowHandle<String> first = Scenario.start(dormouse);
            sim.failure(first);
            sim.log("mended");
            assertThat(sim.result(first.retry())).isEqualTo("xxx");
            assertThat(sim.log()).containsExactly("b", "mended", "b");
        });
    }

    @Test
    void retriedRunThatTimedOutHasTheSameTimeoutAgain() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                for (int i = 0; i < 5; i++) {
                    int part = i;
                    ctx.step("part", () -> sim.log("part " + part));
                    ctx.sleep(Duration.ofMinutes(24));
                }
                return "done";
            });
            WorkflowHandle<String> old = dormouse.start(
                    "w", "w", StartOptions.DEFAULT.withExecutionTimeout(Duration.ofMinutes(71)), String.class, "");
            assertClear(sim.failure(old), ErrorCode.RUN_TIMED_OUT);
            assertThat(sim.result(old.retry())).isEqualTo("done");
            assertThat(sim.log()).containsExactly("part 0", "part 1", "part 2", "part 3", "part 4");
        });
    }

    @Test
    void otherEndsAndOpenRunsAreRefused() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.sleep(HOUR);
                return "done";
            });
            WorkflowHandle<String> open = Scenario.start(dormouse);
            sim.awaitStatus(open, RunStatus.WAITING);
            Throwable refused = catchThrowable(open::retry);
            assertClear(refused, ErrorCode.RETRY_REFUSED);
            assertThat(refused).hasMessageContaining("it is WAITING");
            sim.result(open);
            refused = catchThrowable(open::retry);
            assertClear(refused, ErrorCode.RETRY_REFUSED);
            assertThat(refused).hasMessageContaining("it is COMPLETED").hasMessageContaining("Use reset");
            WorkflowHandle<String> cancelled = open.reset(1);
            cancelled.cancel("stop");
            sim.awaitStatus(cancelled, RunStatus.CANCELLED);
            assertClear(catchThrowable(cancelled::retry), ErrorCode.RETRY_REFUSED);
            WorkflowHandle<String> terminated = cancelled.reset(1);
            terminated.terminate("stop");
            assertClear(catchThrowable(terminated::retry), ErrorCode.RETRY_REFUSED);
        });
    }

    @Test
    void parkedWorkIsListedByItsStatus() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.step("b", broken(sim, "b"));
                return "done";
            });
            dormouse.start("echo", "fine", String.class, "x");
            WorkflowHandle<String> failed = Scenario.start(dormouse);
            sim.failure(failed);
            ListOptions failures = ListOptions.ALL.withStatuses(RunStatus.FAILED, RunStatus.TIMED_OUT, RunStatus.STUCK);
            assertThat(dormouse.list(failures).runs())
                    .extracting(RunDescription::runId)
                    .containsExactly(failed.runId());
            sim.log("mended");
            for (RunDescription run : dormouse.list(failures).runs()) {
                sim.result(dormouse.find(run.workflowId(), String.class)
                        .orElseThrow()
                        .retry());
            }
            assertThat(latest(dormouse).describe().status()).isEqualTo(RunStatus.COMPLETED);
        });
    }
}
