package dev.dormouse.child;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.CancellationScope;
import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.RetryPolicy;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.ChildFailedException;
import dev.dormouse.error.DormouseException;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Children that are started again after a failure. */
class ChildRetryTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final RetryPolicy POLICY = RetryPolicy.DEFAULT
            .withInitialInterval(SECOND.multipliedBy(10))
            .withJitter(0)
            .withMaxAttempts(3);
    private static final ChildOptions RETRIED = ChildOptions.DEFAULT.withRetry(POLICY);

    @WorkflowInterface
    interface Flaky {
        @WorkflowMethod
        String run(int failures);
    }

    /** Fails on its first runs. Each run has a step, which counts the runs. */
    private static final class FlakyWorkflow implements Flaky {
        private final SimulatedDormouse sim;

        FlakyWorkflow(SimulatedDormouse sim) {
            this.sim = sim;
        }

        @Override
        public String run(int failures) {
            UUID run = Workflow.info().runId();
            int attempt = Workflow.step("count", Integer.class, () -> {
                if (!sim.log().contains("" + run)) {
                    sim.log("" + run);
                }
                return sim.log().size();
            });
            if (attempt <= failures) {
                throw new IllegalStateException("attempt " + attempt);
            }
            return "attempt " + attempt;
        }
    }

    private static Dormouse open(SimulatedDormouse sim, WorkflowFunction<String, String> parent) {
        return sim.open(node -> Scenario.with(node, parent)
                .workflow(Flaky.class, () -> new FlakyWorkflow(sim))
                .workflow("naps", String.class, String.class, (ctx, input) -> {
                    sim.log("nap");
                    ctx.sleep(HOUR);
                    return "napped";
                }));
    }

    private static String outcome(Promise<String> promise) {
        try {
            return promise.get();
        } catch (DormouseException problem) {
            return problem.getCause() == null
                    ? problem.getMessage()
                    : problem.getCause().getMessage();
        }
    }

    private static Promise<String> flaky(dev.dormouse.WorkflowContext ctx, ChildOptions options, int failures) {
        return ctx.child("Flaky", "c", options, String.class, failures);
    }

    @Test
    void failedChildIsStartedAgainAsANewRunAfterTheDelayOfThePolicy() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                Instant before = ctx.now();
                String result = flaky(ctx, RETRIED, 2).get();
                return result + " after " + Duration.between(before, ctx.now()).toSeconds() / 10 + "0 s";
            });
            WorkflowHandle<String> parent = Scenario.start(dormouse);
            assertThat(sim.result(parent)).isEqualTo("attempt 3 after 30 s");
            assertThat(new HashSet<>(sim.log())).hasSize(3);
            assertThat(Scenario.kinds(parent))
                    .containsSubsequence(
                            "ChildRequested",
                            "MailReceived",
                            "TimerScheduled",
                            "TimerFired",
                            "ChildRequested",
                            "MailReceived",
                            "TimerScheduled",
                            "TimerFired",
                            "ChildRequested",
                            "MailReceived",
                            "RunCompleted");
        });
    }

    @Test
    void stubsWithGivenAndGeneratedIdsAreRetriedToo() {
        for (boolean generated : List.of(false, true)) {
            Scenario.returns("attempt 3", sim -> (ctx, input) -> {
                if (input.startsWith("run ")) {
                    sim.log(input);
                    if (sim.count(input) < 3) {
                        throw new IllegalStateException(input);
                    }
                    return "attempt " + sim.count(input);
                }
                return generated
                        ? ctx.child("w", ctx.randomUuid().toString(), RETRIED, String.class, "run a")
                                .get()
                        : ctx.child("w", "c", RETRIED, String.class, "run a").get();
            });
            simulate(sim -> {
                Dormouse dormouse = open(
                        sim,
                        (ctx, input) -> (generated
                                        ? ctx.child(Flaky.class, RETRIED)
                                        : ctx.child(Flaky.class, "c", RETRIED))
                                .run(2));
                assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("attempt 3");
            });
        }
    }

    @Test
    void parentGetsTheFailureOfTheLastAttempt() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                Throwable problem = catchThrowable(flaky(ctx, RETRIED, 99)::get);
                assertThat(problem).isInstanceOf(ChildFailedException.class);
                return problem.getCause().getMessage();
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("attempt 3");
            assertThat(sim.log()).hasSize(3);
        });
    }

    @Test
    void maximumDurationEndsTheRetries() {
        RetryPolicy policy =
                POLICY.withMaxAttempts(0).withBackoffCoefficient(1).withMaxDuration(SECOND.multipliedBy(45));
        simulate(sim -> {
            Dormouse dormouse =
                    open(sim, (ctx, input) -> outcome(flaky(ctx, ChildOptions.DEFAULT.withRetry(policy), 99)));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("attempt 5");
        });
    }

    @Test
    void everyAttemptHasTheWholeTimeoutAndOnlyTheFirstTheDelay() {
        ChildOptions options = RETRIED.withExecutionTimeout(MINUTE).withStartDelay(HOUR);
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                Instant before = ctx.now();
                String end = outcome(ctx.child("naps", "c", options, String.class, ""));
                assertThat(end).contains("timed out");
                Duration taken = Duration.between(before, ctx.now());
                return taken.minus(HOUR).toSeconds() / 10 + "0 s";
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("210 s"); // 3 minutes, and 10 s and 20 s between
            assertThat(new HashSet<>(sim.log())).hasSize(1);
        });
    }

    @Test
    void namedExceptionsAndTheirCausesAreNotRetried() {
        for (Class<? extends Throwable> last : List.of(IllegalStateException.class, RuntimeException.class)) {
            simulate(sim -> {
                ChildOptions options = ChildOptions.DEFAULT.withRetry(POLICY.withNonRetryable(last));
                Dormouse dormouse = open(sim, (ctx, input) -> outcome(flaky(ctx, options, 99)));
                sim.result(Scenario.start(dormouse));
                assertThat(sim.log()).hasSize(last == RuntimeException.class ? 3 : 1); // the exact class counts
            });
        }
        simulate(sim -> {
            ChildOptions options =
                    ChildOptions.DEFAULT.withRetry(POLICY.withNonRetryable(IllegalArgumentException.class));
            Dormouse dormouse = open(sim, (ctx, input) -> {
                if (input.equals("child")) {
                    sim.log("child");
                    ctx.step("s", () -> {
                        throw new IllegalArgumentException("cause");
                    });
                }
                return outcome(ctx.child("w", "c", options, String.class, "child"));
            });
            sim.result(Scenario.start(dormouse));
            assertThat(sim.count("child")).isEqualTo(1);
        });
    }

    @Test
    void cancelledAndTerminatedChildrenAreNotRetried() {
        for (boolean terminate : List.of(false, true)) {
            simulate(sim -> {
                Dormouse dormouse =
                        open(sim, (ctx, input) -> outcome(ctx.child("naps", "c", RETRIED, String.class, "")));
                WorkflowHandle<String> parent = Scenario.start(dormouse);
                sim.advance(SECOND);
                if (terminate) {
                    dormouse.handle("c").terminate("enough");
                } else {
                    dormouse.handle("c").cancel("enough");
                }
                assertThat(sim.result(parent)).contains("enough");
                assertThat(dormouse.handle("c").describe().status())
                        .isEqualTo(terminate ? RunStatus.TERMINATED : RunStatus.CANCELLED);
            });
        }
    }

    @Test
    void childThatCouldNotBeStartedIsNotRetried() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                Instant before = ctx.now();
                String end = outcome(flaky(ctx, RETRIED, 0));
                return end.contains("already has a run")
                        + " "
                        + Duration.between(before, ctx.now()).toSeconds() / 5;
            });
            dormouse.start("naps", "c", String.class, "");
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("true 0");
        });
    }

    @Test
    void runThatAnOperatorStartedBetweenTwoAttemptsEndsTheRetries() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                if (input.equals("child")) {
                    ctx.step("s", () -> sim.log("run"));
                    if (sim.log().size() == 1) {
                        throw new IllegalStateException("attempt 1");
                    }
                    return "attempt " + sim.log().size();
                }
                return outcome(ctx.child("w", "c", RETRIED, String.class, "child"));
            });
            WorkflowHandle<String> parent = Scenario.start(dormouse);
            sim.advance(SECOND.multipliedBy(5));
            WorkflowHandle<String> again =
                    dormouse.find("c", String.class).orElseThrow().reset(1);
            assertThat(sim.result(again)).isEqualTo("attempt 2");
            assertThat(sim.result(parent)).isEqualTo("attempt 2"); // the completed run counts as the child
            assertThat(sim.log()).hasSize(2);
        });
    }

    @Test
    void retriesSurviveKillsAtEveryMoment() {
        Scenario.returnsWhenKilled("done after 3", SECOND.multipliedBy(40), sim -> {
            Set<String> runs = new HashSet<>();
            return (ctx, input) -> {
                if (input.equals("child")) {
                    UUID run = ctx.info().runId();
                    int attempt = ctx.step("count", Integer.class, () -> {
                        runs.add("" + run);
                        return runs.size();
                    });
                    if (attempt < 3) {
                        throw new IllegalStateException("attempt " + attempt);
                    }
                    return "done after " + attempt;
                }
                ChildOptions options = ChildOptions.DEFAULT.withRetry(POLICY.withJitter(0.5));
                return ctx.child("w", "c", options, String.class, "child").get();
            };
        });
    }

    @Test
    void cancelDuringTheDelayEndsTheRetries() {
        for (String how : List.of("promise", "scope", "parent")) {
            simulate(sim -> {
                Dormouse dormouse = open(sim, (ctx, input) -> {
                    Promise<?>[] child = new Promise<?>[1];
                    CancellationScope scope = ctx.newCancellationScope(() -> child[0] = flaky(ctx, RETRIED, 99));
                    scope.run();
                    Throwable early = catchThrowable(() -> ctx.sleep(SECOND.multipliedBy(5)));
                    if (how.equals("scope")) {
                        scope.cancel("enough");
                    } else if (how.equals("promise")) {
                        child[0].cancel();
                    }
                    String[] end = {""};
                    ctx.newDetachedCancellationScope(() -> {
                                end[0] =
                                        catchThrowable(child[0]::get).getClass().getSimpleName();
                                ctx.sleep(HOUR);
                            })
                            .run();
                    return (early == null) + " " + end[0];
                });
                WorkflowHandle<String> parent = Scenario.start(dormouse);
                if (how.equals("parent")) {
                    sim.advance(SECOND.multipliedBy(4));
                    parent.cancel("enough");
                }
                assertThat(sim.result(parent))
                        .isEqualTo(!how.equals("parent") + " " + CancelledException.class.getSimpleName());
                assertThat(sim.log()).hasSize(1);
            });
        }
    }

    @Test
    void cancelDuringAnAttemptEndsTheRetriesEvenIfTheChildFailsThen() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                if (input.equals("child")) {
                    sim.log("child");
                    try {
                        ctx.sleep(HOUR);
                    } catch (CancelledException cancelled) {
                        throw new IllegalStateException("cannot clean up");
                    }
                }
                Promise<String> child = ctx.child("w", "c", RETRIED, String.class, "child");
                ctx.sleep(MINUTE);
                child.cancel();
                return outcome(child);
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("cannot clean up");
            assertThat(new HashSet<>(sim.log())).hasSize(1);
            assertThat(sim.elapsed()).isLessThan(MINUTE.multipliedBy(2));
        });
    }

    @Test
    void parentThatEndsDuringTheDelayStartsNoFurtherAttempt() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                flaky(ctx, RETRIED, 99);
                ctx.sleep(SECOND.multipliedBy(5));
                return "left";
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("left");
            sim.advance(HOUR);
            assertThat(sim.log()).hasSize(1);
        });
    }

    @Test
    void manyRetriedChildrenDoNotDisturbEachOther() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                if (input.startsWith("child")) {
                    int attempt = ctx.step("count", Integer.class, () -> {
                        sim.log(input);
                        return (int) sim.count(input);
                    });
                    if (attempt < 3) {
                        throw new IllegalStateException(input + " " + attempt);
                    }
                    return input;
                }
                List<Promise<String>> children = List.of("child 1", "child 2", "child 3").stream()
                        .map(name -> ctx.child(
                                "w", name, ChildOptions.DEFAULT.withRetry(POLICY.withJitter(1)), String.class, name))
                        .toList();
                return "" + Promise.allOf(children).get();
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("[child 1, child 2, child 3]");
            assertThat(sim.log()).hasSize(9);
        });
    }

    @Test
    void retriedParentContinuesWithOneMoreAttempt() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> flaky(ctx, RETRIED, 3).get());
            WorkflowHandle<String> parent = Scenario.start(dormouse);
            sim.failure(parent);
            assertThat(sim.log()).hasSize(3);
            assertThat(sim.result(parent.retry())).isEqualTo("attempt 4");
        });
    }

    @Test
    void parentCanBeResetToEachEvent() {
        for (int events = 1; events < 12; events++) {
            int shared = events;
            simulate(sim -> {
                Dormouse dormouse =
                        open(sim, (ctx, input) -> flaky(ctx, RETRIED, 2).get());
                WorkflowHandle<String> parent = Scenario.start(dormouse);
                sim.result(parent);
                if (shared < parent.history().size()) {
                    assertThat(sim.result(parent.reset(shared))).startsWith("attempt ");
                }
            });
        }
    }
}
