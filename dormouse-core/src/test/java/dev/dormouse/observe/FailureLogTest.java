package dev.dormouse.observe;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.dormouse.Activity;
import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.RetryPolicy;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.CapturedLog;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.timer.TimerOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Log lines about failures: attempts 1, 2, 4 and 8 of a step, and one for each run that fails, times out or gets stuck.
 */
class FailureLogTest {
    private static final ActivityOptions EVERY_SECOND = ActivityOptions.DEFAULT.withRetry(
            RetryPolicy.DEFAULT.withInitialInterval(Duration.ofSeconds(1)).withBackoffCoefficient(1));

    private static WorkflowFunction<String, String> failing(int failures) {
        return (ctx, input) -> {
            ctx.step("before", () -> {});
            ctx.step("charge", EVERY_SECOND, () -> {
                if (Activity.info().attempt() <= failures) {
                    throw new IllegalStateException("card refused");
                }
            });
            ctx.sleep(Duration.ofHours(1)); // leaves memory, so that the next lines follow a replay
            return "done";
        };
    }

    private static List<Integer> attempts(List<ILoggingEvent> lines) {
        return lines.stream()
                .map(line -> line.getFormattedMessage().replaceAll("(?s).*[Aa]ttempt (\\d+) .*", "$1"))
                .map(Integer::valueOf)
                .toList();
    }

    @Test
    void failingStepLogsItsPowersOfTwoWithCauseRunStepAndNextAttempt() {
        simulate(sim -> {
            try (CapturedLog logged = new CapturedLog()) {
                Dormouse dormouse = Scenario.open(sim, failing(9));
                WorkflowHandle<String> handle = Scenario.start(dormouse);
                assertThat(sim.result(handle)).isEqualTo("done");
                List<ILoggingEvent> lines = logged.about("'charge'");
                assertThat(attempts(lines)).containsExactly(1, 2, 4, 8);
                ILoggingEvent first = lines.get(0);
                assertThat(first.getLevel()).isEqualTo(Level.WARN);
                assertThat(first.getFormattedMessage())
                        .contains(handle.runId().toString(), "workflow id 'w'", "card refused")
                        .containsPattern("next attempt (begins )?at 20\\d\\d-\\S+Z");
                assertThat(first.getThrowableProxy().getClassName()).isEqualTo("java.lang.IllegalStateException");
                assertThat(first.getThrowableProxy()
                                .getStackTraceElementProxyArray()[0]
                                .getSTEAsString())
                        .contains("FailureLogTest");
                assertThat(logged.messages()).hasSize(4);
            }
        });
    }

    @Test
    void thirdEqualProgrammingErrorLooksLikeABugInLogAndDescription() {
        simulate(sim -> {
            try (CapturedLog logged = new CapturedLog()) {
                Dormouse dormouse = Scenario.open(sim, failingWith(8, new NullPointerException("customer")));
                WorkflowHandle<String> handle = Scenario.start(dormouse);
                sim.advance(Duration.ofMillis(1_500));
                assertThat(logged.about("looks like a bug")).isEmpty();
                assertThat(failure(handle)).doesNotContain("looks like a bug");
                sim.advance(Duration.ofSeconds(2));
                assertThat(failure(handle)).contains("NullPointerException", "looks like a bug: ");
                assertThat(sim.result(handle)).isEqualTo("done");
                List<ILoggingEvent> lines = logged.about("looks like a bug");
                assertThat(lines).hasSize(1);
                assertThat(lines.get(0).getFormattedMessage())
                        .contains(
                                "'charge'",
                                handle.runId().toString(),
                                "NullPointerException",
                                "next attempt begins at");
                assertThat(lines.get(0).getThrowableProxy()).isNotNull();
            }
        });
    }

    @Test
    void otherFailuresDoNotLookLikeABug() {
        simulate(sim -> {
            try (CapturedLog logged = new CapturedLog()) {
                Dormouse dormouse = Scenario.open(sim, failingWith(8, new IllegalStateException("down")));
                WorkflowHandle<String> handle = Scenario.start(dormouse);
                sim.advance(Duration.ofSeconds(5));
                assertThat(failure(handle)).doesNotContain("looks like a bug");
                assertThat(sim.result(handle)).isEqualTo("done");
                assertThat(logged.about("looks like a bug")).isEmpty();
            }
        });
    }

    private static String failure(WorkflowHandle<?> handle) {
        return handle.describe().steps().get(0).lastFailure().orElse("");
    }

    private static WorkflowFunction<String, String> failingWith(int failures, RuntimeException problem) {
        return (ctx, input) -> {
            ctx.step("charge", EVERY_SECOND, () -> {
                if (Activity.info().attempt() <= failures) {
                    throw problem;
                }
            });
            return "done";
        };
    }

    @Test
    void replayOnAnotherNodeLogsNothingAgain() {
        simulate(sim -> {
            try (CapturedLog logged = new CapturedLog()) {
                Dormouse one = Scenario.open(sim, failing(3));
                Scenario.start(one);
                sim.advance(Duration.ofMinutes(1));
                assertThat(attempts(logged.about("'charge'"))).containsExactly(1, 2);
                sim.kill(one);
                Dormouse two = Scenario.open(sim, failing(3));
                assertThat(sim.result(two.find("w", String.class).orElseThrow()))
                        .isEqualTo("done");
                assertThat(attempts(logged.about("'charge'"))).containsExactly(1, 2);
            }
        });
    }

    @Test
    void lastAttemptSaysThatThereIsNoOtherAndTheRunThatFailsIsLoggedOnce() {
        simulate(sim -> {
            try (CapturedLog logged = new CapturedLog()) {
                Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                    ctx.step("once", SimulatedDormouse.ONCE, () -> {
                        throw new IllegalStateException("card refused");
                    });
                    return "done";
                });
                WorkflowHandle<String> handle = Scenario.start(dormouse);
                sim.failure(handle);
                assertThat(logged.messages()).hasSize(2);
                assertThat(logged.messages().get(0)).contains("'once'", "no further attempt");
                ILoggingEvent failed = logged.about("has failed").get(0);
                assertThat(failed.getLevel()).isEqualTo(Level.WARN);
                assertThat(failed.getFormattedMessage())
                        .contains(handle.runId().toString(), "'w'", "ActivityFailedException", "card refused");
                assertThat(failed.getThrowableProxy().getClassName())
                        .isEqualTo(ActivityFailedException.class.getName());
            }
        });
    }

    @Test
    void runThatTimesOutIsLoggedOnce() {
        simulate(sim -> {
            try (CapturedLog logged = new CapturedLog()) {
                Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                    ctx.sleep(Duration.ofDays(1));
                    return "done";
                });
                WorkflowHandle<String> handle = dormouse.start(
                        "w", "w", StartOptions.DEFAULT.withExecutionTimeout(Duration.ofMinutes(1)), String.class, "");
                sim.failure(handle);
                assertThat(logged.messages()).hasSize(1);
                assertThat(logged.messages().get(0)).contains(handle.runId().toString(), "'w'", "time");
            }
        });
    }

    @Test
    void runThatGetsStuckIsLoggedOnceForEachTryAsWarning() {
        simulate(sim -> {
            try (CapturedLog logged = new CapturedLog()) {
                Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                    throw new LinkageError("no such method");
                });
                WorkflowHandle<String> handle = Scenario.start(dormouse);
                sim.awaitStatus(handle, RunStatus.STUCK);
                sim.advance(Duration.ofSeconds(10));
                assertThat(logged.messages()).hasSize(1);
                ILoggingEvent line = logged.about("stuck").get(0);
                assertThat(line.getLevel()).isEqualTo(Level.WARN);
                assertThat(line.getFormattedMessage()).contains(handle.runId().toString(), "'w'", "no such method");
                assertThat(line.getThrowableProxy().getClassName()).isEqualTo("java.lang.LinkageError");
            }
        });
    }

    @Test
    void completedAndCancelledRunsLogNothing() {
        simulate(sim -> {
            try (CapturedLog logged = new CapturedLog()) {
                Dormouse dormouse = Scenario.open(sim, failing(0));
                WorkflowHandle<String> handle = Scenario.start(dormouse);
                sim.advance(Duration.ofMinutes(1));
                handle.cancel("not wanted");
                sim.failure(handle);
                assertThat(logged.messages()).isEmpty();
            }
        });
    }

    @Test
    void failingTimerHandlerLogsItsAttemptsAndItsEnd() {
        simulate(sim -> {
            try (CapturedLog logged = new CapturedLog()) {
                Dormouse dormouse = sim.open(node -> node);
                dormouse.timers().handle("remind", String.class, text -> {
                    throw new IllegalStateException("no mail server");
                });
                TimerOptions options = TimerOptions.DEFAULT
                        .withId("t")
                        .withRetry(RetryPolicy.DEFAULT.withBackoffCoefficient(1).withMaxAttempts(5));
                dormouse.timers().after(Duration.ofMinutes(1), "remind", options, "you");
                sim.advance(Duration.ofMinutes(2));
                assertThat(attempts(logged.about("next attempt"))).containsExactly(1, 2, 4);
                assertThat(logged.messages()).hasSize(4);
                ILoggingEvent end = logged.about("has failed").get(0);
                assertThat(end.getFormattedMessage()).contains("Timer 't'", "'remind'", "5 attempts", "no mail server");
                assertThat(end.getThrowableProxy().getClassName()).isEqualTo("java.lang.IllegalStateException");
            }
        });
    }

    @Test
    void failureOfManyRunsDoesNotFloodTheLog() {
        simulate(sim -> {
            try (CapturedLog logged = new CapturedLog()) {
                Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                    ctx.step("charge", SimulatedDormouse.ONCE, () -> {
                        throw new IllegalStateException("card refused");
                    });
                    return "done";
                });
                for (int i = 0; i < 30; i++) {
                    sim.failure(dormouse.start("w", "w" + i, String.class, ""));
                }
                assertThat(logged.about("'charge' in run")).hasSize(8);
                assertThat(logged.messages()).hasSize(16);
                assertThat(logged.messages().get(15)).contains("More such lines within the minute are left out");
                sim.advance(Duration.ofMinutes(2));
                sim.failure(dormouse.start("w", "later", String.class, ""));
                assertThat(logged.messages()).hasSize(18);
                assertThat(logged.messages().get(17)).contains("'later'", "22 such lines were left out");
            }
        });
    }
}
