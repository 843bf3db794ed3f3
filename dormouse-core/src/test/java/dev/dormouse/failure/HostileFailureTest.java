package dev.dormouse.failure;

import static dev.dormouse.support.HostileScenario.HOUR;
import static dev.dormouse.support.HostileScenario.MINUTE;
import static dev.dormouse.support.HostileScenario.attempts;
import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Activity;
import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.RetryPolicy;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.RetryHint;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Exceptions that misbehave, and retry policies with absurd numbers. */
class HostileFailureTest {

    /** An exception whose methods all throw. */
    private static final class Broken extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final boolean withAnError;

        Broken(boolean withAnError) {
            this.withAnError = withAnError;
        }

        private RuntimeException broken() {
            if (withAnError) {
                throw new AssertionError("asked too much");
            }
            throw new IllegalStateException("asked too much");
        }

        @Override
        public String getMessage() {
            throw broken();
        }

        @Override
        public String toString() {
            throw broken();
        }

        @Override
        public Throwable getCause() {
            throw broken();
        }
    }

    /** An exception with an endless chain of causes. */
    private static final class Endless extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public Throwable getCause() {
            return new Endless();
        }

        @Override
        public Throwable fillInStackTrace() {
            return this;
        }
    }

    private static Exception cyclic() {
        Exception one = new Exception("one");
        Exception two = new Exception("two", one);
        one.initCause(two);
        one.addSuppressed(two);
        return one;
    }

    private static Map<String, Throwable> nuisances() {
        Map<String, Throwable> all = new LinkedHashMap<>();
        all.put("huge", new IllegalStateException("x".repeat(20_000_000)));
        all.put("cyclic", cyclic());
        all.put("broken", new Broken(false));
        all.put("null message", new IllegalStateException((String) null));
        all.put("NUL", new IllegalStateException("a\0b"));
        all.put("interrupted", new InterruptedException("by itself"));
        all.put("error", new StackOverflowError());
        all.put("anonymous", new Exception("anon") {});
        return all;
    }

    private static String failsAndIsTriedAgain(SimulatedDormouse sim, Throwable nuisance) {
        Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
            try {
                return ctx.step("s", attempts(2), String.class, () -> {
                    sim.log("attempt");
                    return sneak(nuisance);
                });
            } catch (ActivityFailedException failed) {
                String live = failed.getMessage() + failed.getCause() + failed.failure();
                int first = ctx.step("note", Integer.class, live::hashCode);
                ctx.sleep(HOUR);
                return failed.attempts() + " " + (first == live.hashCode());
            }
        });
        String result = sim.result(Scenario.start(dormouse));
        sim.assertStillWorks(dormouse);
        return result;
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> String sneak(Throwable any) throws E {
        throw (E) any;
    }

    @Test
    void everyNuisanceIsAFailureLikeAnyOtherAndLooksTheSameAfterReplay() {
        nuisances()
                .forEach((name, nuisance) -> simulate(sim -> {
                    assertThat(failsAndIsTriedAgain(sim, nuisance)).as(name).isEqualTo("2 true");
                    assertThat(sim.count("attempt")).as(name).isEqualTo(2);
                }));
    }

    @Test
    void halfACharacterInAMessageLooksTheSameAfterReplay() {
        simulate(sim -> assertThat(failsAndIsTriedAgain(sim, new IllegalStateException("a\uD83D b")))
                .isEqualTo("2 true"));
    }

    @Test
    void characterOnTheEdgeWhereAMessageIsCutLooksTheSameAfterReplay() {
        String message = "x".repeat(7_999) + "\uD83D\uDE00" + "x".repeat(500);
        simulate(sim -> assertThat(failsAndIsTriedAgain(sim, new IllegalStateException(message)))
                .isEqualTo("2 true"));
    }

    @Test
    void exceptionThatThrowsAnErrorWhenItIsAskedIsAFailureLikeAnyOther() {
        simulate(sim -> assertThat(failsAndIsTriedAgain(sim, new Broken(true))).isEqualTo("2 true"));
    }

    /** An exception that fails to provide its retry delay. */
    private static final class Undecided extends RuntimeException implements RetryHint {
        private static final long serialVersionUID = 1L;

        @Override
        public Duration retryAfter() {
            throw new AssertionError("asked too much");
        }

        @Override
        public boolean isFinal() {
            throw new IllegalStateException("asked too much");
        }
    }

    @Test
    void exceptionThatCannotSayWhenItIsToBeTriedAgainIsAFailureLikeAnyOther() {
        simulate(sim -> assertThat(failsAndIsTriedAgain(sim, new Undecided())).isEqualTo("2 true"));
    }

    @Test
    void exceptionWithoutAnEndOfCausesIsAFailureLikeAnyOther() {
        simulate(sim -> assertThat(failsAndIsTriedAgain(sim, new Endless())).isEqualTo("2 true"));
    }

    @Test
    void absurdDelaysRequestedByAnActivityDelayOnlyItsOwnRun() {
        for (Duration delay : List.of(
                Duration.ofSeconds(Long.MAX_VALUE, 999_999_999),
                Duration.ofSeconds(Long.MAX_VALUE / 1_000),
                Duration.ofDays(365_000_000),
                Duration.ofDays(365 * 300))) {
            simulate(sim -> {
                Dormouse dormouse = Scenario.open(
                        sim,
                        (ctx, input) -> ctx.step("s", ActivityOptions.DEFAULT, String.class, () -> {
                            sim.log("attempt");
                            throw ActivityFailedException.retryAfter(delay);
                        }));
                WorkflowHandle<String> handle = Scenario.start(dormouse);
                sim.advance(Duration.ofHours(2));
                assertThat(handle.describe().status()).as("%s", delay).isEqualTo(RunStatus.WAITING);
                assertThat(handle.describe().steps().get(0).nextAttemptAt()).isPresent();
                assertThat(sim.count("attempt")).isEqualTo(1);
                sim.assertStillWorks(dormouse);
                handle.cancel("enough");
                assertClear(sim.failure(handle), ErrorCode.RUN_CANCELLED);
            });
        }
    }

    @Test
    void negativeDelaysMeanAtOnce() {
        for (Duration delay : List.of(Duration.ZERO, Duration.ofDays(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
            Scenario.returns(
                    "attempt 3",
                    sim -> (ctx, input) -> ctx.step("s", ActivityOptions.DEFAULT, String.class, () -> {
                        if (Activity.info().attempt() < 3) {
                            throw ActivityFailedException.retryAfter(delay);
                        }
                        assertThat(sim.elapsed()).isLessThan(MINUTE);
                        return "attempt " + Activity.info().attempt();
                    }));
        }
    }

    @Test
    void absurdPoliciesDelayOnlyTheirOwnRun() {
        Duration ever = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
        List<RetryPolicy> policies = List.of(
                RetryPolicy.DEFAULT.withInitialInterval(ever),
                RetryPolicy.DEFAULT.withInitialInterval(ever).withJitter(1),
                RetryPolicy.DEFAULT
                        .withMaxInterval(ever)
                        .withBackoffCoefficient(1_000)
                        .withMaxDuration(ever),
                RetryPolicy.DEFAULT
                        .withInitialInterval(Duration.ofNanos(1))
                        .withBackoffCoefficient(1_000)
                        .withMaxInterval(ever),
                RetryPolicy.DEFAULT.withMaxAttempts(Integer.MAX_VALUE));
        for (RetryPolicy policy : policies) {
            simulate(sim -> {
                ActivityOptions options = ActivityOptions.DEFAULT
                        .withRetry(policy)
                        .withTotalTimeout(ever)
                        .withAttemptTimeout(ever)
                        .withHeartbeatTimeout(ever);
                Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                    ctx.step("s", options, () -> {
                        sim.log("attempt");
                        Activity.heartbeat();
                        throw new IOException("no");
                    });
                    return "";
                });
                WorkflowHandle<String> handle = Scenario.start(dormouse);
                sim.advance(Duration.ofHours(1));
                assertThat(handle.describe().status()).as("%s", policy).isEqualTo(RunStatus.WAITING);
                assertThat(sim.count("attempt")).isBetween(1L, 70L);
                handle.cancel("enough");
                assertClear(sim.failure(handle), ErrorCode.RUN_CANCELLED);
                sim.assertStillWorks(dormouse);
            });
        }
    }

    @Test
    void delayThatWouldEndAfterTheTotalTimeEndsTheStepAtOnce() {
        simulate(sim -> {
            ActivityOptions options = ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withMaxDuration(HOUR));
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("s", options, String.class, () -> {
                        throw ActivityFailedException.retryAfter(HOUR.multipliedBy(2), new IOException("busy"));
                    }));
            assertThat(sim.failure(Scenario.start(dormouse))).hasMessageContaining("busy");
            assertThat(sim.elapsed()).isLessThan(MINUTE);
        });
    }

    @Test
    void lastAllowedAttemptMayAskForAnotherInVain() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("s", attempts(2), String.class, () -> {
                        sim.log("attempt");
                        throw ActivityFailedException.retryAfter(MINUTE);
                    }));
            assertThat(sim.failure(Scenario.start(dormouse))).hasMessageContaining("failed 2 times");
            assertThat(sim.elapsed()).isLessThan(MINUTE.multipliedBy(2));
            assertThat(sim.count("attempt")).isEqualTo(2);
        });
    }

    @Test
    void workflowAndCallerSeeTheReasonOfARefusal() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("s", ActivityOptions.DEFAULT, String.class, () -> {
                        throw ActivityFailedException.nonRetryable("the account is closed", new IOException("code 17"));
                    }));
            assertThat(sim.failure(Scenario.start(dormouse)))
                    .hasMessageContaining("the account is closed")
                    .hasMessageContaining("code 17");
        });
    }

    @Test
    void subclassesOfNonRetryableExceptionsAreNotRetriedEvenAnonymousOnes() {
        simulate(sim -> {
            ActivityOptions options =
                    ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withNonRetryable(IOException.class));
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("s", options, String.class, () -> {
                        sim.log("attempt");
                        throw new FileNotFoundException("gone") {};
                    }));
            sim.failure(Scenario.start(dormouse));
            assertThat(sim.count("attempt")).isEqualTo(1);
        });
    }
}
