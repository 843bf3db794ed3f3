package dev.dormouse.cancel;

import static dev.dormouse.support.SimulatedDormouse.ONCE;
import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Activity;
import dev.dormouse.ActivityInterface;
import dev.dormouse.ActivityOptions;
import dev.dormouse.CancellationScope;
import dev.dormouse.Compensate;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.Promise;
import dev.dormouse.QueueOptions;
import dev.dormouse.RetryPolicy;
import dev.dormouse.StepFunction;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.ApplicationException;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Calls of cancelled activities that return only after the activity has ended. */
class WaitForCancellationTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final ActivityOptions WAIT = ONCE.withWaitForCancellation();
    private static final ActivityOptions WAIT_AND_RETRY = ActivityOptions.DEFAULT
            .withRetry(RetryPolicy.DEFAULT.withInitialInterval(MINUTE).withJitter(0))
            .withWaitForCancellation();

    @ActivityInterface
    interface Copier {
        String copy(String how);
    }

    @ActivityInterface
    interface Undoable {
        String copy(String how);

        @Compensate(forActivity = "copy", evenIfFailed = true)
        void delete(String how, @Nullable String copied);
    }

    /** Works until it is interrupted, cleans up for ten seconds, and then ends as {@code how} says. */
    private static String copy(SimulatedDormouse sim, String how) throws InterruptedException {
        sim.log("copies");
        for (int i = 0; i < 3_600 && !Thread.interrupted(); i++) {
            sim.advance(SECOND);
        }
        sim.log("cleans up");
        for (int i = 0; i < 10; i++) {
            sim.advance(SECOND);
            if (Thread.interrupted()) {
                sim.log("interrupted again");
            }
        }
        sim.log("clean");
        return switch (how) {
            case "returns" -> "copied a part";
            case "throws" -> throw new InterruptedException();
            case "fails" -> throw new ApplicationException("DiskFull", "no room").withDetails(17);
            default -> throw new CancelledException("as it was told");
        };
    }

    /** Returns the result or the failure of a call in one word, and the details of its failure. */
    private static String seen(SimulatedDormouse sim, Callable<String> call) throws Exception {
        try {
            String result = call.call();
            sim.log("returned");
            return result;
        } catch (CancelledException cancelled) {
            sim.log("returned");
            String why = cancelled.reason();
            for (Throwable suppressed : cancelled.getSuppressed()) {
                ActivityFailedException failed = (ActivityFailedException) suppressed;
                why += ", " + failed.failure().type() + failed.details(Integer.class);
            }
            return why;
        }
    }

    /** Returns code that calls {@code step} in a scope, which it cancels after {@code delay}. */
    private static WorkflowFunction<String, String> inScope(
            SimulatedDormouse sim, Duration delay, Function<WorkflowContext, String> step) {
        return (ctx, input) -> {
            String[] seen = {"?"};
            CancellationScope scope = ctx.newCancellationScope(() -> {
                try {
                    seen[0] = seen(sim, () -> step.apply(ctx));
                } catch (Exception never) {
                    throw new IllegalStateException(never);
                }
            });
            Promise<String> runs = ctx.async(() -> {
                scope.run();
                return seen[0];
            });
            ctx.sleep(delay);
            scope.cancel("enough");
            return runs.get();
        };
    }

    private static String copyStep(WorkflowContext ctx, SimulatedDormouse sim, ActivityOptions options, String how) {
        return ctx.step("copy", options, String.class, () -> copy(sim, how));
    }

    private static void assertSeen(String expected, String how, ActivityOptions options) {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, inScope(sim, MINUTE, ctx -> copyStep(ctx, sim, options, how)));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo(expected);
            assertThat(sim.log()).containsExactly("copies", "cleans up", "clean", "returned");
            assertThat(sim.elapsed()).isBetween(Duration.ofSeconds(69), Duration.ofSeconds(75));
            sim.advance(HOUR);
            assertThat(sim.count("copies")).isEqualTo(1);
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void callReturnsAfterTheCleanUpWithTheResult() {
        assertSeen("copied a part", "returns", WAIT);
        assertSeen("copied a part", "returns", WAIT.withAttemptTimeout(HOUR));
    }

    @Test
    void callThrowsTheCancellationWithTheFailureSuppressed() {
        assertSeen("enough, java.lang.InterruptedExceptionOptional.empty", "throws", WAIT);
        assertSeen("enough, DiskFullOptional[17]", "fails", WAIT);
    }

    @Test
    void cancellationThatTheActivityThrowsIsNotSuppressed() {
        assertSeen("enough", "obeys", WAIT);
    }

    @Test
    void cancelledActivityIsNotTriedAgain() {
        assertSeen("enough, DiskFullOptional[17]", "fails", WAIT_AND_RETRY);
    }

    @Test
    void withoutTheOptionTheCallThrowsAtOnce() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, inScope(sim, MINUTE, ctx -> copyStep(ctx, sim, ONCE, "returns")));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("enough");
            assertThat(sim.log()).startsWith("copies", "returned");
        });
    }

    /** Code whose only coroutine calls the step, so that it executes on the run's own thread if it has no time limit. */
    private static WorkflowFunction<String, String> alone(SimulatedDormouse sim, ActivityOptions options, String how) {
        return (ctx, input) -> {
            String seen = seen(sim, () -> copyStep(ctx, sim, options, how));
            ctx.newDetachedCancellationScope(() -> ctx.step("note", () -> sim.log(seen)))
                    .run();
            return seen;
        };
    }

    @Test
    void cancelOfTheRunWaitsForTheStepOnItsOwnThreadAndBesideIt() {
        for (ActivityOptions options : List.of(WAIT, WAIT_AND_RETRY, WAIT.withAttemptTimeout(HOUR))) {
            for (String how : List.of("returns", "fails", "obeys")) {
                simulate(sim -> {
                    WorkflowHandle<String> handle = Scenario.start(Scenario.open(sim, alone(sim, options, how)));
                    sim.advance(MINUTE);
                    handle.cancel("enough");
                    String seen = sim.result(handle);
                    assertThat(seen)
                            .isEqualTo(
                                    how.equals("returns")
                                            ? "copied a part"
                                            : how.equals("fails") ? "enough, DiskFullOptional[17]" : "enough");
                    assertThat(sim.log()).containsExactly("copies", "cleans up", "clean", "returned", seen);
                });
            }
        }
    }

    @Test
    void transactionIsCancelledInTheSameWay() {
        simulate(sim -> {
            WorkflowHandle<String> handle = Scenario.start(Scenario.open(
                    sim,
                    (ctx, input) -> seen(
                            sim,
                            () -> ctx.transaction(
                                    "copy", WAIT_AND_RETRY, String.class, connection -> copy(sim, "fails")))));
            sim.advance(MINUTE);
            handle.cancel("enough");
            assertThat(sim.result(handle)).isEqualTo("enough, DiskFullOptional[17]");
            assertThat(sim.log()).containsExactly("copies", "cleans up", "clean", "returned");
        });
    }

    @Test
    void timeLimitsBoundTheWait() {
        List<ActivityOptions> limits = List.of(
                WAIT_AND_RETRY.withAttemptTimeout(MINUTE.multipliedBy(2)),
                WAIT_AND_RETRY.withTotalTimeout(MINUTE.multipliedBy(2)),
                WAIT_AND_RETRY.withHeartbeatTimeout(MINUTE.multipliedBy(2)));
        for (ActivityOptions limited : limits) {
            simulate(sim -> {
                Dormouse dormouse = Scenario.open(
                        sim,
                        inScope(
                                sim,
                                MINUTE,
                                ctx -> ctx.step("deaf", limited, String.class, () -> {
                                    sim.advance(HOUR);
                                    return "late";
                                })));
                assertThat(sim.result(Scenario.start(dormouse)))
                        .isEqualTo("enough, dev.dormouse.error.DormouseExceptionOptional.empty");
                assertThat(sim.elapsed()).isBetween(Duration.ofSeconds(115), Duration.ofSeconds(130));
            });
        }
    }

    @Test
    void heartbeatsOfACancelledActivityThrowButCount() {
        simulate(sim -> {
            ActivityOptions beating = WAIT.withHeartbeatTimeout(SECOND.multipliedBy(5));
            Dormouse dormouse = Scenario.open(
                    sim,
                    inScope(
                            sim,
                            SECOND.multipliedBy(3),
                            ctx -> ctx.step("beat", beating, String.class, () -> {
                                int told = 0;
                                for (int i = 0; i < 20; i++) {
                                    sim.advance(SECOND);
                                    try {
                                        Activity.heartbeat(i);
                                    } catch (CancelledException cancelled) {
                                        told++;
                                    }
                                }
                                return told > 15 ? "told again and again" : "told " + told;
                            })));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("told again and again");
        });
    }

    /** Asserts that a step that executes nothing when it is cancelled ends at once, and never executes again. */
    private static void assertEndsAtOnce(StepFunction<String> body) {
        simulate(sim -> {
            ActivityOptions options = WAIT_AND_RETRY.withRetry(
                    RetryPolicy.DEFAULT.withInitialInterval(HOUR).withMaxInterval(HOUR));
            Dormouse dormouse = Scenario.open(
                    sim,
                    inScope(
                            sim,
                            MINUTE,
                            ctx -> ctx.step("s", options, String.class, () -> {
                                sim.log("attempt");
                                return body.run();
                            })));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            assertThat(sim.result(handle)).isEqualTo("enough");
            assertThat(sim.elapsed()).isLessThan(MINUTE.plus(SECOND.multipliedBy(2)));
            sim.advance(HOUR.multipliedBy(3));
            assertThat(sim.count("attempt")).isEqualTo(1);
        });
    }

    @Test
    void stepThatWaitsForItsNextAttemptOrForItsTokenEndsAtOnce() {
        assertEndsAtOnce(() -> {
            throw new IllegalStateException("as it should");
        });
        assertEndsAtOnce(() -> Activity.pause("nap", HOUR));
        assertEndsAtOnce(Activity::completeLater);
    }

    @Test
    void tokenThatWasHandedOutByACancelledStepIsUsed() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(
                    sim,
                    inScope(
                            sim,
                            MINUTE,
                            ctx -> ctx.step("s", WAIT, String.class, () -> {
                                sim.log(Activity.completeLater());
                                copy(sim, "returns");
                                return "";
                            })));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(MINUTE.plus(SECOND.multipliedBy(5)));
            assertThat(handle.describe().status()).isEqualTo(RunStatus.RUNNING);
            assertThat(sim.result(handle)).isEqualTo("enough");
            assertThat(sim.count("clean")).isEqualTo(1);
            try {
                dormouse.completeActivity(sim.log().get(0), "late");
            } catch (RuntimeException refused) {
                sim.log("refused");
            }
            assertThat(sim.count("refused")).isEqualTo(1);
        });
    }

    @Test
    void nodeThatTakesOverDoesNotExecuteACancelledStepAgain() {
        for (long seconds : List.of(61, 65, 69)) {
            simulate(sim -> {
                WorkflowFunction<String, String> code =
                        inScope(sim, MINUTE, ctx -> copyStep(ctx, sim, WAIT_AND_RETRY, "returns"));
                Dormouse one = Scenario.open(sim, code);
                Scenario.start(one);
                sim.advance(Duration.ofSeconds(seconds));
                sim.kill(one);
                WorkflowHandle<String> handle =
                        Scenario.open(sim, code).find("w", String.class).orElseThrow();
                assertThat(sim.result(handle)).isEqualTo("enough");
                assertThat(sim.count("copies")).isEqualTo(1);
                assertThat(sim.elapsed()).isLessThan(MINUTE.multipliedBy(2));
            });
        }
    }

    @Test
    void runHasTheSameResultWhereverItsNodesDieAfterTheEnd() {
        for (long seconds : List.of(75, 80, 200)) {
            simulate(sim -> {
                WorkflowFunction<String, String> inner =
                        inScope(sim, MINUTE, ctx -> copyStep(ctx, sim, WAIT_AND_RETRY, "fails"));
                WorkflowFunction<String, String> code = (ctx, input) -> {
                    String seen = inner.run(ctx, input);
                    ctx.sleep(HOUR);
                    return seen;
                };
                Dormouse one = Scenario.open(sim, code);
                Scenario.start(one);
                sim.advance(Duration.ofSeconds(seconds));
                sim.kill(one);
                WorkflowHandle<String> handle =
                        Scenario.open(sim, code).find("w", String.class).orElseThrow();
                assertThat(sim.result(handle)).isEqualTo("enough, DiskFullOptional[17]");
                assertThat(sim.count("copies")).isEqualTo(1);
            });
        }
    }

    private static DormouseBuilder copying(DormouseBuilder node, SimulatedDormouse sim) {
        return node.activities(Copier.class, how -> {
                    try {
                        return copy(sim, how);
                    } catch (InterruptedException stop) {
                        throw new IllegalStateException(stop);
                    }
                })
                .queue("q", QueueOptions.DEFAULT);
    }

    private static void assertSeenFromAway(String expected, String how, ActivityOptions options) {
        simulate(sim -> {
            Dormouse caller = sim.open(node -> Scenario.with(
                            node,
                            inScope(
                                    sim,
                                    MINUTE,
                                    ctx -> ctx.activities(Copier.class, options).copy(how)))
                    .remoteActivities(Copier.class));
            sim.open(node -> copying(node, sim));
            WorkflowHandle<String> handle = Scenario.start(caller);
            assertThat(sim.result(handle)).isEqualTo(expected);
            assertThat(sim.log()).containsExactly("copies", "cleans up", "clean", "returned");
            sim.advance(HOUR);
            assertThat(sim.count("copies")).isEqualTo(1);
        });
    }

    @Test
    void activitiesInQueuesAndOnOtherNodesAreAwaitedToo() {
        for (ActivityOptions options :
                List.of(WAIT_AND_RETRY, WAIT_AND_RETRY.withQueue("q"), WAIT_AND_RETRY.withAttemptTimeout(HOUR))) {
            assertSeenFromAway("copied a part", "returns", options);
            assertSeenFromAway("enough, DiskFullOptional[17]", "fails", options);
            assertSeenFromAway("enough", "obeys", options);
        }
    }

    @Test
    void activityThatStillWaitsInItsQueueNeverBegins() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> Scenario.with(
                            node,
                            inScope(
                                    sim,
                                    MINUTE,
                                    ctx -> ctx.activities(Copier.class, WAIT.withQueue("late"))
                                            .copy("returns")))
                    .remoteActivities(Copier.class));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(MINUTE.plusSeconds(1));
            assertThat(handle.describe().status()).isEqualTo(RunStatus.COMPLETED);
            sim.open(node -> copying(node, sim).queue("late", QueueOptions.DEFAULT));
            sim.advance(MINUTE);
            assertThat(sim.result(handle)).isEqualTo("enough");
            assertThat(sim.log()).containsExactly("returned");
        });
    }

    @Test
    void compensationBeginsAfterTheCleanUp() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> Scenario.with(
                            node,
                            (ctx, input) -> ctx.activities(Undoable.class, WAIT).copy("fails"))
                    .activities(Undoable.class, new Undoable() {
                        @Override
                        public String copy(String how) {
                            try {
                                return WaitForCancellationTest.copy(sim, how);
                            } catch (InterruptedException stop) {
                                throw new IllegalStateException(stop);
                            }
                        }

                        @Override
                        public void delete(String how, @Nullable String copied) {
                            sim.log("deletes " + copied);
                        }
                    }));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(MINUTE);
            handle.cancel("enough");
            assertClear(sim.failure(handle), ErrorCode.RUN_CANCELLED);
            assertThat(sim.log()).containsExactly("copies", "cleans up", "clean", "deletes null");
        });
    }

    @Test
    void runThatIsCancelledWaitsForItsCoroutinesThatWait() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                Promise<String> copy = ctx.async(() -> seen(sim, () -> copyStep(ctx, sim, WAIT, "returns")));
                try {
                    ctx.sleep(HOUR);
                    return "?";
                } catch (CancelledException cancelled) {
                    String[] result = {""};
                    ctx.newDetachedCancellationScope(() -> result[0] = copy.get())
                            .run();
                    return result[0];
                }
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(MINUTE);
            handle.cancel("enough");
            assertThat(sim.result(handle)).isEqualTo("copied a part");
            assertThat(sim.count("clean")).isEqualTo(1);
        });
    }
}
