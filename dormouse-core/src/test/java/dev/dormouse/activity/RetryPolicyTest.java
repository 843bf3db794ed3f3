package dev.dormouse.activity;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.dormouse.Activity;
import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.RetryPolicy;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.WorkflowException;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.StepDescription;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Retries of failed steps. */
class RetryPolicyTest {
    private static final List<Integer> DEFAULT_WAITS = List.of(1, 2, 4, 8, 16, 32, 60, 60, 60);

    private final List<Instant> attempts = new ArrayList<>();

    private WorkflowFunction<String, String> failing(SimulatedDormouse sim, int times, ActivityOptions options) {
        attempts.clear();
        return (ctx, input) -> ctx.step("shaky", options, String.class, () -> {
            attempts.add(sim.now());
            if (Activity.info().attempt() <= times) {
                throw new IllegalStateException("failure " + Activity.info().attempt());
            }
            return "attempt " + Activity.info().attempt();
        });
    }

    private List<Integer> waits() {
        List<Integer> waits = new ArrayList<>();
        for (int i = 1; i < attempts.size(); i++) {
            Duration wait = Duration.between(attempts.get(i - 1), attempts.get(i));
            assertThat(wait.toMillis() % 1_000).as("wait of " + wait).isLessThan(300);
            waits.add((int) wait.toSeconds());
        }
        return waits;
    }

    @Test
    void attemptsFollowTheDefaultPolicy() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, failing(sim, 9, ActivityOptions.DEFAULT));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("attempt 10");
            assertThat(waits()).isEqualTo(DEFAULT_WAITS);
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void nodeThatDiesInTheMiddleOfABackOffChangesNothingOfIt() {
        for (int seconds : List.of(2, 5, 20, 100)) {
            simulate(sim -> {
                WorkflowFunction<String, String> code = failing(sim, 9, ActivityOptions.DEFAULT);
                Dormouse one = Scenario.open(sim, code);
                Scenario.start(one);
                sim.advance(Duration.ofSeconds(seconds));
                sim.kill(one);
                Dormouse two = Scenario.open(sim, code);
                assertThat(sim.result(two.find("w", String.class).orElseThrow()))
                        .isEqualTo("attempt 10");
                assertThat(waits()).isEqualTo(DEFAULT_WAITS);
            });
        }
    }

    @Test
    void backOffIsTheAlarmOfTheRunAndHoldsNoThread() {
        simulate(sim -> {
            ActivityOptions hours =
                    ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withInitialInterval(Duration.ofHours(5)));
            Dormouse dormouse = Scenario.open(sim, failing(sim, 1, hours));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(Duration.ofHours(1));
            RunDescription waiting = handle.describe();
            assertThat(waiting.status()).isEqualTo(RunStatus.WAITING);
            assertThat(waiting.wakeReason()).isEqualTo(WakeReason.RETRY);
            assertThat(waiting.wakeAt().orElseThrow())
                    .isEqualTo(waiting.steps().get(0).nextAttemptAt().orElseThrow());
            assertThat(sim.threads("run")).isZero();
            assertThat(sim.threads("step")).isZero();
            assertThat(sim.result(handle)).isEqualTo("attempt 2");
            assertThat(waits()).isEqualTo(List.of(5 * 3600));
        });
    }

    @Test
    void shortBackOffHoldsNoThreadEither() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, failing(sim, 1, ActivityOptions.DEFAULT));
            Scenario.start(dormouse);
            sim.advance(Duration.ofMillis(500));
            assertThat(attempts).hasSize(1);
            assertThat(sim.threads("run")).isZero();
        });
    }

    @Test
    void describeShowsAttemptsAndTheLastFailure() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, failing(sim, 5, ActivityOptions.DEFAULT));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(Duration.ofSeconds(5));
            StepDescription step = handle.describe().steps().get(0);
            assertThat(step.name()).isEqualTo("shaky");
            assertThat(step.attempt()).isEqualTo(3);
            assertThat(step.lastFailure().orElseThrow())
                    .contains("IllegalStateException")
                    .contains("failure 3");
            sim.result(handle);
            assertThat(handle.describe().steps()).isEmpty();
        });
    }

    @Test
    void usedUpAttemptsReachTheWorkflowWithCauseAndNumber() {
        simulate(sim -> {
            ActivityOptions three = ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withMaxAttempts(3));
            WorkflowFunction<String, String> failing = failing(sim, 9, three);
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                try {
                    return failing.run(ctx, input);
                } catch (ActivityFailedException failed) {
                    return failed.attempts() + " " + failed.step() + " "
                            + failed.getCause().getMessage();
                }
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("3 shaky failure 3");
            assertThat(waits()).isEqualTo(List.of(1, 2));
        });
    }

    @Test
    void uncaughtTheRunFailsWithIt() {
        simulate(sim -> {
            ActivityOptions three = ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withMaxAttempts(3));
            Dormouse dormouse = Scenario.open(sim, failing(sim, 9, three));
            WorkflowException failure = sim.failure(Scenario.start(dormouse));
            assertClear(failure, ErrorCode.RUN_FAILED);
            assertThat(failure).hasMessageContaining("failed 3 times").hasMessageContaining("failure 3");
        });
    }

    @Test
    void totalTimeEndsTheAttempts() {
        simulate(sim -> {
            ActivityOptions brief =
                    ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withMaxDuration(Duration.ofSeconds(10)));
            Dormouse dormouse = Scenario.open(sim, failing(sim, 99, brief));
            assertThat(sim.failure(Scenario.start(dormouse))).hasMessageContaining("failed 4 times");
            assertThat(waits()).isEqualTo(List.of(1, 2, 4));
        });
    }

    @Test
    void nonRetryableExceptionsAndThoseThatExtendThemAreNotTriedAgain() {
        simulate(sim -> {
            AtomicInteger calls = new AtomicInteger();
            ActivityOptions options =
                    ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withNonRetryable(IOException.class));
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("read", options, String.class, () -> {
                        if (calls.incrementAndGet() == 1) {
                            throw new UncheckedIOException(new IOException("wrapped: tried again"));
                        }
                        throw new java.io.FileNotFoundException("it is not there");
                    }));
            assertThat(sim.failure(Scenario.start(dormouse))).hasMessageContaining("it is not there");
            assertThat(calls).hasValue(2);
        });
    }

    @Test
    void activityDecidesWhenItIsTriedAgain() {
        simulate(sim -> {
            attempts.clear();
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("busy", ActivityOptions.DEFAULT, String.class, () -> {
                        attempts.add(sim.now());
                        if (attempts.size() == 1) {
                            throw ActivityFailedException.retryAfter(Duration.ofMinutes(7));
                        } else if (attempts.size() == 2) {
                            throw ActivityFailedException.retryAfter(
                                    Duration.ofSeconds(-1), new IOException("at once"));
                        } else if (attempts.size() == 3) {
                            throw new IOException("by the policy");
                        }
                        return "done";
                    }));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("done");
            assertThat(waits()).isEqualTo(List.of(420, 0, 4));
        });
    }

    @Test
    void activityDecidesThatItIsNotTriedAgain() {
        simulate(sim -> {
            AtomicInteger calls = new AtomicInteger();
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("no", ActivityOptions.DEFAULT, String.class, () -> {
                        calls.incrementAndGet();
                        throw ActivityFailedException.nonRetryable("the account is closed");
                    }));
            assertThat(sim.failure(Scenario.start(dormouse))).hasMessageContaining("the account is closed");
            assertThat(calls).hasValue(1);
        });
    }

    @Test
    void retriesOfRunsThatFailTogetherAreSpreadByDefault() {
        simulate(sim -> {
            AtomicInteger down = new AtomicInteger(20);
            List<Instant> second = new ArrayList<>();
            Dormouse dormouse = sim.openWithJitter(node -> Scenario.with(
                    node,
                    (ctx, input) -> ctx.step("shared", ActivityOptions.DEFAULT, String.class, () -> {
                        if (down.decrementAndGet() >= 0) {
                            throw new IllegalStateException("down");
                        }
                        second.add(sim.now());
                        return "up";
                    })));
            List<WorkflowHandle<String>> handles = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                handles.add(dormouse.start("w", "w-" + i, String.class, ""));
            }
            handles.forEach(sim::result);
            List<Long> tenths =
                    second.stream().map(at -> at.toEpochMilli() / 20).distinct().toList();
            assertThat(tenths).hasSizeGreaterThan(5);
        });
    }

    @Test
    void delayWithJitterIsRecordedAndSurvivesTheDeathOfItsNode() {
        simulate(sim -> {
            ActivityOptions hours =
                    ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withInitialInterval(Duration.ofHours(5)));
            WorkflowFunction<String, String> code = failing(sim, 1, hours);
            Dormouse one = sim.openWithJitter(node -> Scenario.with(node, code));
            WorkflowHandle<String> handle = Scenario.start(one);
            sim.advance(Duration.ofHours(1));
            Instant next = handle.describe().steps().get(0).nextAttemptAt().orElseThrow();
            sim.kill(one);
            Dormouse two = sim.openWithJitter(node -> Scenario.with(node, code));
            WorkflowHandle<String> found = two.find("w", String.class).orElseThrow();
            assertThat(found.describe().steps().get(0).nextAttemptAt()).contains(next);
            assertThat(sim.result(found)).isEqualTo("attempt 2");
            assertThat(Duration.between(next, attempts.get(1))).isBetween(Duration.ZERO, Duration.ofSeconds(1));
        });
    }

    @Test
    void jitterSpreadsTheWaits() {
        simulate(sim -> {
            ActivityOptions options = ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT
                    .withInitialInterval(Duration.ofSeconds(100))
                    .withBackoffCoefficient(1)
                    .withMaxInterval(Duration.ofSeconds(100))
                    .withJitter(0.5));
            Dormouse dormouse = sim.openWithJitter(node -> Scenario.with(node, failing(sim, 20, options)));
            sim.result(Scenario.start(dormouse));
            List<Long> waits = new ArrayList<>();
            for (int i = 1; i < attempts.size(); i++) {
                waits.add(Duration.between(attempts.get(i - 1), attempts.get(i)).toSeconds());
            }
            assertThat(waits).allMatch(wait -> wait >= 50 && wait <= 151);
            assertThat(waits.stream().distinct().count()).isGreaterThan(5);
            assertThat(waits.stream().mapToLong(Long::longValue).average().orElseThrow())
                    .isCloseTo(100, within(25.0));
        });
    }

    @Test
    void resultThatCannotBeSerializedIsNotRetried() {
        simulate(sim -> {
            AtomicInteger calls = new AtomicInteger();
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.step("odd", ActivityOptions.DEFAULT, Object.class, () -> {
                    calls.incrementAndGet();
                    List<Object> itself = new ArrayList<>();
                    itself.add(itself);
                    return itself;
                });
                return "";
            });
            assertThat(sim.failure(Scenario.start(dormouse)))
                    .hasMessageContaining(ErrorCode.PAYLOAD_NOT_SERIALIZABLE.label());
            assertThat(calls).hasValue(1);
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void errorsAreTriedAgainLikeExceptions() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("err", ActivityOptions.DEFAULT, String.class, () -> {
                        int attempt = Activity.info().attempt();
                        if (attempt < 4) {
                            throw attempt == 1
                                    ? new OutOfMemoryError("no")
                                    : attempt == 2 ? new StackOverflowError() : new LinkageError();
                        }
                        return "attempt " + attempt;
                    }));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("attempt 4");
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void deathOfTheNodeCountsAsAnAttempt() {
        simulate(sim -> {
            List<Integer> seen = new ArrayList<>();
            WorkflowFunction<String, String> code =
                    (ctx, input) -> ctx.step("slow", ActivityOptions.DEFAULT, String.class, () -> {
                        seen.add(Activity.info().attempt());
                        sim.advance(Duration.ofMinutes(1));
                        return "done";
                    });
            Dormouse one = Scenario.open(sim, code);
            Scenario.start(one);
            sim.advance(Duration.ofSeconds(10));
            sim.kill(one);
            Dormouse two = Scenario.open(sim, code);
            assertThat(sim.result(two.find("w", String.class).orElseThrow())).isEqualTo("done");
            assertThat(seen).isEqualTo(List.of(1, 2));
        });
    }

    @Test
    void idempotencyKeyIsTheSameForAllAttemptsAndDifferentForEachStep() {
        simulate(sim -> {
            List<String> keys = new ArrayList<>();
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                for (int i = 0; i < 2; i++) {
                    ctx.step("pay", ActivityOptions.DEFAULT, () -> {
                        keys.add(Activity.idempotencyKey());
                        if (Activity.info().attempt() < 3) {
                            throw new IOException("again");
                        }
                    });
                    ctx.sleep(Duration.ofHours(1));
                }
                ctx.step("other", ActivityOptions.DEFAULT, () -> keys.add(Activity.idempotencyKey()));
                return ctx.info().runId().toString();
            });
            String runId = sim.result(Scenario.start(dormouse));
            String first = runId + "/pay/1";
            String second = runId + "/pay/2";
            assertThat(keys).containsExactly(first, first, first, second, second, second, runId + "/other/1");
        });
    }

    @Test
    void manyStepsBackOffOnTheirOwnAndNeighborsDoNotNotice() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                List<Promise<String>> all = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    int failures = i;
                    all.add(ctx.async(() -> ctx.step("s" + failures, ActivityOptions.DEFAULT, String.class, () -> {
                        if (Activity.info().attempt() <= failures) {
                            throw new IOException("not yet");
                        }
                        return "" + Activity.info().attempt();
                    })));
                }
                Promise<?> timer = ctx.newTimer(Duration.ofSeconds(5));
                timer.get();
                String at = Duration.between(ctx.info().startedAt(), ctx.now()).toSeconds() + " ";
                return at + Promise.allOf(all).get();
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("5 [1, 2, 3, 4, 5]");
        });
    }

    @Test
    void contradictoryPoliciesAreRefused() {
        RetryPolicy policy = RetryPolicy.DEFAULT;
        ActivityOptions options = ActivityOptions.DEFAULT;
        Duration minute = Duration.ofMinutes(1);
        Duration negative = Duration.ofSeconds(-1);
        assertThat(new Scenario.BadCalls()
                        .add("negative interval", () -> policy.withInitialInterval(negative))
                        .add(
                                "largest below initial",
                                () -> policy.withInitialInterval(minute).withMaxInterval(Duration.ofSeconds(1)))
                        .add("coefficient", () -> policy.withBackoffCoefficient(0.5))
                        .add("no number", () -> policy.withBackoffCoefficient(Double.NaN))
                        .add("endless", () -> policy.withBackoffCoefficient(Double.POSITIVE_INFINITY))
                        .add("jitter", () -> policy.withJitter(1.1))
                        .add("jitter no number", () -> policy.withJitter(Double.NaN))
                        .add("attempts", () -> policy.withMaxAttempts(-1))
                        .add("total", () -> policy.withMaxDuration(Duration.ZERO))
                        .add("null", () -> policy.withMaxDuration(null))
                        .add("null type", () -> policy.withNonRetryable((Class<? extends Throwable>) null))
                        .add("null policy", () -> options.withRetry(null))
                        .add("zero timeout", () -> options.withTotalTimeout(Duration.ZERO))
                        .add(
                                "attempt above all",
                                () -> options.withTotalTimeout(minute).withAttemptTimeout(minute.plusSeconds(1)))
                        .add(
                                "heartbeat above attempt",
                                () -> options.withAttemptTimeout(minute).withHeartbeatTimeout(minute.plusSeconds(1)))
                        .add(
                                "heartbeat above all",
                                () -> options.withTotalTimeout(minute).withHeartbeatTimeout(minute.plusSeconds(1)))
                        .unclear())
                .isEmpty();
    }
}
