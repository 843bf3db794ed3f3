package dev.dormouse.client;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.StartOptions;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.WorkflowException;
import dev.dormouse.inspect.ListOptions;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.Statistics.DueKind;
import dev.dormouse.inspect.UpcomingOptions;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Invalid calls: each gets a clear error, and the engine keeps working. */
class BadCallTest {
    private static final int LIMIT = 1_000;
    private static final Duration HOUR = Duration.ofHours(1);

    @WorkflowInterface
    interface Sum {
        @WorkflowMethod
        int of(int one, int other);

        default String notTheWorkflow() {
            return "";
        }
    }

    interface Unregistered {
        void call();
    }

    /** A value that cannot be written as JSON. */
    public static class Loop {
        public Loop self = this;
    }

    /** A value whose getter throws. */
    public static class Moody {
        public String getMood() {
            throw new IllegalStateException("not today");
        }
    }

    private static Dormouse open(SimulatedDormouse sim, WorkflowFunction<String, Object> code) {
        return sim.open(node -> SimulatedDormouse.echo(node)
                .payloadLimit(LIMIT)
                .workflow(Sum.class, () -> (one, other) -> one + other)
                .workflow("w", String.class, Object.class, code)
                .remoteWorkflow("elsewhere"));
    }

    private static Dormouse open(SimulatedDormouse sim) {
        return open(sim, (ctx, input) -> input);
    }

    /** Asserts that the run fails and that its message names {@code why}. */
    private static void assertFails(SimulatedDormouse sim, WorkflowFunction<String, Object> code, ErrorCode why) {
        Dormouse dormouse = open(sim, code);
        WorkflowException failed = sim.failure(dormouse.start("w", "w", Object.class, "x"));
        assertThat(failed.code()).isEqualTo(ErrorCode.RUN_FAILED);
        assertClear(failed.getMessage(), why);
        sim.assertStillWorks(dormouse);
    }

    @Test
    void unknownWorkflowTypeIsRefused() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Throwable problem = catchThrowable(() -> dormouse.start("nonsense", "n", String.class, ""));
            assertClear(problem, ErrorCode.UNKNOWN_WORKFLOW_TYPE);
            assertThat(problem.getMessage()).contains("'nonsense'").contains("echo");
            assertThat(dormouse.find("n", String.class)).isEmpty();
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void nullIsRefusedWhereItIsPassed() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> dormouse.start(null, "w", String.class, "x"),
                    () -> dormouse.start("w", (String) null, String.class, "x"),
                    () -> dormouse.start("w", "w", (Class<?>) null, "x"),
                    () -> dormouse.start("w", "w", (StartOptions) null, String.class, "x"),
                    () -> dormouse.start((Runnable) null),
                    () -> dormouse.start((Supplier<String>) null),
                    () -> dormouse.workflow(null, "w"),
                    () -> dormouse.workflow(Sum.class, (String) null),
                    () -> dormouse.workflow(Sum.class, "w", null),
                    () -> dormouse.find(null, String.class),
                    () -> dormouse.find("w", (Class<?>) null),
                    () -> dormouse.within(null),
                    () -> dormouse.list(null),
                    () -> dormouse.backup(null))) {
                Throwable problem = catchThrowable(call);
                assertClear(problem, ErrorCode.BAD_ARGUMENT);
                assertThat(problem.getMessage()).contains("but got null");
            }
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void runWaitsForUnregisteredActivitiesUntilANodeRegistersThem() {
        simulate(sim -> {
            WorkflowFunction<String, Object> code = (ctx, in) -> {
                ctx.activities(Unregistered.class).call();
                return "done";
            };
            Dormouse without = open(sim, code);
            WorkflowHandle<String> handle = without.start("w", "w", String.class, "x");
            sim.awaitStatus(handle, RunStatus.STUCK);
            assertClear(handle.describe().trouble(), ErrorCode.UNKNOWN_ACTIVITY);
            sim.open(builder ->
                    builder.workflow("w", String.class, Object.class, code).activities(Unregistered.class, () -> {}));
            assertThat(sim.result(handle)).isEqualTo("done");
            sim.assertStillWorks(without);
        });
    }

    @Test
    void activitiesOfAClassFailTheRun() {
        simulate(sim -> assertFails(sim, (ctx, in) -> ctx.activities(String.class), ErrorCode.BAD_ACTIVITY_INTERFACE));
    }

    @Test
    void inputThatDoesNotSerializeIsRefusedAndNothingStarts() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Map<String, Object> circle = new HashMap<>();
            circle.put("me", circle);
            for (Object bad : List.of(new Loop(), circle, new Moody())) {
                Throwable problem = catchThrowable(() -> dormouse.start("w", "w", Object.class, bad));
                assertClear(problem, ErrorCode.PAYLOAD_NOT_SERIALIZABLE);
            }
            assertThat(dormouse.find("w", String.class)).isEmpty();
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void stepResultThatDoesNotSerializeFailsTheStep() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                ActivityFailedException failure =
                        (ActivityFailedException) catchThrowable(() -> ctx.step("s", Object.class, () -> new Loop()));
                ctx.sleep(HOUR);
                return failure.failure().getMessage();
            });
            Object message = sim.result(dormouse.start("w", "w", Object.class, "x"));
            assertClear((String) message, ErrorCode.PAYLOAD_NOT_SERIALIZABLE);
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void resultThatDoesNotSerializeFailsTheRun() {
        simulate(sim -> assertFails(sim, (ctx, input) -> new Loop(), ErrorCode.PAYLOAD_NOT_SERIALIZABLE));
    }

    @Test
    void inputThatIsTooLargeIsRefusedAndNothingStarts() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Throwable problem = catchThrowable(() -> dormouse.start("w", "w", Object.class, "x".repeat(LIMIT)));
            assertClear(problem, ErrorCode.PAYLOAD_TOO_LARGE);
            assertThat(problem.getMessage()).contains("" + LIMIT).contains("" + (LIMIT + 2));
            assertThat(dormouse.find("w", String.class)).isEmpty();
            assertThat(sim.result(dormouse.start("w", "w", String.class, "x".repeat(LIMIT - 2))))
                    .hasSize(LIMIT - 2);
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void stepResultThatIsTooLargeFailsTheStep() {
        simulate(sim -> assertFails(
                sim,
                (ctx, input) -> ctx.step("s", String.class, () -> "x".repeat(LIMIT)),
                ErrorCode.PAYLOAD_TOO_LARGE));
    }

    @Test
    void resultThatIsTooLargeFailsTheRun() {
        simulate(sim -> assertFails(sim, (ctx, input) -> "x".repeat(LIMIT), ErrorCode.PAYLOAD_TOO_LARGE));
    }

    @Test
    void argumentsThatDoNotFitAreReported() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            List<Object[]> bad = new ArrayList<>();
            bad.add(new Object[] {});
            bad.add(new Object[] {1});
            bad.add(new Object[] {1, 2, 3});
            bad.add(new Object[] {"one", "two"});
            bad.add(new Object[] {null, 2});
            bad.add(new Object[] {1, Map.of("a", 1)});
            int number = 0;
            for (Object[] arguments : bad) {
                String id = "sum-" + number++;
                Throwable problem =
                        catchThrowable(() -> sim.result(dormouse.start("Sum", id, Integer.class, arguments)));
                assertThat(problem).as("%s", List.of(id)).isNotNull();
                assertClear(problem.getMessage(), ErrorCode.PAYLOAD_DOES_NOT_FIT);
            }
            assertThat(sim.result(dormouse.start("Sum", "sum", Integer.class, 1, 2)))
                    .isEqualTo(3);
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void argumentsThatDoNotFitAFunctionAreReported() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            for (Object[] arguments : new Object[][] {{"a", "b"}, {List.of("a")}, {Map.of("a", 1)}}) {
                Throwable problem = catchThrowable(() -> sim.result(
                        dormouse.start("w", "w" + arguments.length + arguments[0], Object.class, arguments)));
                assertThat(problem).as("%s", arguments[0]).isNotNull();
                assertClear(problem.getMessage(), ErrorCode.PAYLOAD_DOES_NOT_FIT);
            }
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void resultThatDoesNotFitTheRequestedTypeIsReportedAndNotLost() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<Integer> handle = dormouse.start("w", "w", Integer.class, "no number");
            assertClear(catchThrowable(() -> sim.result(handle)), ErrorCode.PAYLOAD_DOES_NOT_FIT);
            WorkflowHandle<String> right = dormouse.find("w", String.class).orElseThrow();
            assertThat(sim.result(right)).isEqualTo("no number");
        });
    }

    private static Map<String, Runnable> everyCall() {
        Map<String, Runnable> calls = new LinkedHashMap<>();
        calls.put("step", () -> Workflow.step("s", () -> {}));
        calls.put("typed step", () -> Workflow.step("s", String.class, () -> ""));
        calls.put("activities", () -> Workflow.activities(Runnable.class));
        calls.put("sleep", () -> Workflow.sleep(HOUR));
        calls.put("no sleep", () -> Workflow.sleep(Duration.ZERO));
        calls.put("sleepUntil", () -> Workflow.sleepUntil(Instant.EPOCH));
        calls.put("now", Workflow::now);
        calls.put("randomUuid", Workflow::randomUuid);
        calls.put("version", () -> Workflow.version("c", 1, 2));
        calls.put("info", Workflow::info);
        calls.put("logger", Workflow::logger);
        return calls;
    }

    private static Map<String, Runnable> everyCall(WorkflowContext ctx) {
        Map<String, Runnable> calls = new LinkedHashMap<>();
        calls.put("step", () -> ctx.step("s", () -> {}));
        calls.put("typed step", () -> ctx.step("s", String.class, () -> ""));
        calls.put("sleep", () -> ctx.sleep(HOUR));
        calls.put("no sleep", () -> ctx.sleep(Duration.ZERO));
        calls.put("sleepUntil", () -> ctx.sleepUntil(Instant.EPOCH));
        calls.put("randomUuid", ctx::randomUuid);
        calls.put("version", () -> ctx.version("c", 1, 2));
        return calls;
    }

    @Test
    void workflowCallsOutsideOfAWorkflowAreRefused() {
        everyCall().forEach((name, call) -> assertClear(catchThrowable(call::run), ErrorCode.OUTSIDE_WORKFLOW));
    }

    @Test
    void workflowCallsInsideAStepAreRefused() {
        simulate(sim -> {
            Map<String, Throwable> caught = new HashMap<>();
            Dormouse dormouse = open(sim, (ctx, input) -> {
                ctx.step(
                        "outer",
                        () -> everyCall().forEach((name, call) -> caught.put(name, catchThrowable(call::run))));
                ctx.sleep(HOUR);
                return ctx.step("after", String.class, () -> "after");
            });
            assertThat(sim.result(dormouse.start("w", "w", Object.class, ""))).isEqualTo("after");
            assertThat(caught).hasSameSizeAs(everyCall());
            caught.values().forEach(problem -> assertClear(problem, ErrorCode.OUTSIDE_WORKFLOW));
        });
    }

    @Test
    void callsOfTheContextInsideAStepAreRefused() {
        simulate(sim -> {
            Map<String, Throwable> caught = new LinkedHashMap<>();
            Dormouse dormouse = open(sim, (ctx, input) -> {
                ctx.step(
                        "outer",
                        () -> everyCall(ctx).forEach((name, call) -> caught.put(name, catchThrowable(call::run))));
                ctx.sleep(HOUR);
                return ctx.step("after", String.class, () -> "after");
            });
            assertThat(sim.result(dormouse.start("w", "w", Object.class, ""))).isEqualTo("after");
            assertThat(caught)
                    .allSatisfy((name, problem) -> assertThat(problem)
                            .as(name)
                            .isInstanceOf(dev.dormouse.error.DormouseException.class)
                            .hasMessageMatching("\\[DM100[89]\\] Expected .*"));
        });
    }

    @Test
    void workflowCallsOnAThreadOfTheWorkflowsOwnAreRefused() {
        simulate(sim -> {
            Map<String, Throwable> caught = new LinkedHashMap<>();
            Dormouse dormouse = open(sim, (ctx, input) -> {
                Thread thread = new Thread(() -> {
                    everyCall().forEach((name, call) -> caught.put(name, catchThrowable(call::run)));
                    everyCall(ctx).forEach((name, call) -> caught.put("ctx " + name, catchThrowable(call::run)));
                });
                thread.start();
                thread.join();
                ctx.sleep(HOUR);
                return "done";
            });
            assertThat(sim.result(dormouse.start("w", "w", Object.class, ""))).isEqualTo("done");
            assertThat(caught)
                    .allSatisfy((name, problem) -> assertThat(problem)
                            .as(name)
                            .isInstanceOf(dev.dormouse.error.DormouseException.class)
                            .hasMessageMatching("\\[DM100[89]\\] Expected .*"));
        });
    }

    @Test
    void contextOfARunThatHasEndedIsOfNoUse() {
        simulate(sim -> {
            AtomicReference<WorkflowContext> kept = new AtomicReference<>();
            Dormouse dormouse = open(sim, (ctx, input) -> {
                kept.set(ctx);
                return "done";
            });
            sim.result(dormouse.start("w", "w", Object.class, ""));
            everyCall(kept.get()).forEach((name, call) -> {
                Throwable problem = catchThrowable(call::run);
                assertThat(problem)
                        .as(name)
                        .isInstanceOf(dev.dormouse.error.DormouseException.class)
                        .hasMessageMatching("\\[DM100[89]\\] Expected .*");
            });
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void badWorkflowIdsAreRefused() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            for (String id : List.of("", "a\0b", "\0", "x".repeat(501), "x".repeat(1_000_000))) {
                assertClear(catchThrowable(() -> dormouse.start("w", id, Object.class, "")), ErrorCode.BAD_ARGUMENT);
                assertClear(catchThrowable(() -> dormouse.find(id, Object.class)), ErrorCode.BAD_ARGUMENT);
                Sum stub = dormouse.workflow(Sum.class, "ok");
                assertThat(stub).isNotNull();
                assertClear(
                        catchThrowable(() -> {
                            Sum bad = dormouse.workflow(Sum.class, id);
                            dormouse.start(() -> bad.of(1, 2));
                        }),
                        ErrorCode.BAD_ARGUMENT);
            }
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void workflowIdThatIsNotTextIsRefused() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            // a lone surrogate has no UTF-8: a store would keep something else
            for (String id : List.of("\uD800", "a\uDC00b")) {
                assertClear(catchThrowable(() -> dormouse.start("w", id, Object.class, "")), ErrorCode.BAD_ARGUMENT);
            }
        });
    }

    @Test
    void oddWorkflowIdsThatAreTextAreFine() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            for (String id : List.of(" ", "a%", "_", "'; drop table run; --", "ä€𝄞", "\n", "x".repeat(500), "../..")) {
                assertThat(sim.result(dormouse.start("w", id, Object.class, id)))
                        .isEqualTo(id);
                assertThat(dormouse.find(id, Object.class)
                                .orElseThrow()
                                .describe()
                                .workflowId())
                        .isEqualTo(id);
            }
        });
    }

    @Test
    void startThatIsNotACallOfAStubIsRefused() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Sum sum = dormouse.workflow(Sum.class, "s");
            assertClear(catchThrowable(() -> dormouse.start(() -> "no stub")), ErrorCode.BAD_STUB_CALL);
            assertClear(catchThrowable(() -> dormouse.start(() -> {})), ErrorCode.BAD_STUB_CALL);
            assertClear(catchThrowable(() -> dormouse.start(sum::toString)), ErrorCode.BAD_STUB_CALL);
            assertClear(catchThrowable(() -> dormouse.start(sum::notTheWorkflow)), ErrorCode.BAD_STUB_CALL);
            assertClear(
                    catchThrowable(() -> dormouse.start(() -> sum.of(1, 2) + sum.of(3, 4))), ErrorCode.BAD_STUB_CALL);
            assertThat(dormouse.find("s", Integer.class)).isEmpty();
            WorkflowHandle<Integer> handle = dormouse.start(() -> sum.of(1, 2));
            assertThat(sim.result(handle)).isEqualTo(3);
        });
    }

    @Test
    void stubOfATypeThatIsNotAWorkflowIsRefused() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            assertClear(catchThrowable(() -> dormouse.workflow(Runnable.class, "x")), ErrorCode.BAD_WORKFLOW_INTERFACE);
        });
    }

    @Test
    void bothADelayAndAnInstantAreRefused() {
        assertClear(
                catchThrowable(() -> StartOptions.DEFAULT.withStartDelay(HOUR).withStartAt(Instant.EPOCH)),
                ErrorCode.BAD_ARGUMENT);
        assertClear(
                catchThrowable(
                        () -> StartOptions.DEFAULT.withStartAt(Instant.EPOCH).withStartDelay(HOUR)),
                ErrorCode.BAD_ARGUMENT);
    }

    @Test
    void startsBeyondTheStoresRangeAreRefused() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            for (StartOptions options : List.of(
                    StartOptions.DEFAULT.withStartAt(Instant.MAX),
                    StartOptions.DEFAULT.withStartDelay(Duration.ofSeconds(Long.MAX_VALUE)),
                    StartOptions.DEFAULT.withStartDelay(Duration.ofDays(200_000_000)))) {
                assertClear(
                        catchThrowable(() -> dormouse.start("w", "w", options, Object.class, "")),
                        ErrorCode.INSTANT_OUT_OF_RANGE);
            }
            assertThat(dormouse.find("w", Object.class)).isEmpty();
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void filterWithoutAValueIsRefusedAndOneWithAValueTwiceIsNot() {
        List<ThrowingCallable> calls = List.of(
                () -> ListOptions.ALL.withWorkflowIdPrefix(null),
                () -> ListOptions.ALL.withType(null),
                () -> ListOptions.ALL.withStatuses(RunStatus.RUNNING, null),
                () -> ListOptions.ALL.withPage(null),
                () -> UpcomingOptions.ALL.withKinds((DueKind[]) null),
                () -> UpcomingOptions.ALL.withPage(null));
        calls.forEach(call -> assertClear(catchThrowable(call), ErrorCode.BAD_ARGUMENT));
        assertThat(ListOptions.ALL.withStatuses(RunStatus.RUNNING, RunStatus.RUNNING))
                .isEqualTo(ListOptions.ALL.withStatuses(RunStatus.RUNNING));
    }

    @Test
    void badPagesAreRefused() {
        for (int limit : new int[] {0, -1, 1_001, Integer.MIN_VALUE}) {
            assertClear(catchThrowable(() -> ListOptions.ALL.withLimit(limit)), ErrorCode.BAD_ARGUMENT);
        }
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            for (String page : List.of("", "x", ":", "-1:", "1:", "99999999999:", "0", "zero:", " 0:")) {
                assertClear(
                        catchThrowable(() -> dormouse.list(ListOptions.ALL.withPage(page))), ErrorCode.BAD_ARGUMENT);
            }
        });
    }

    @Test
    void everythingIsRefusedAfterClose() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Sum sum = dormouse.workflow(Sum.class, "s");
            WorkflowHandle<Object> handle = dormouse.start("w", "w", Object.class, "x");
            sim.result(handle);
            dormouse.close();
            dormouse.close();
            Map<String, Runnable> calls = new LinkedHashMap<>();
            calls.put("start", () -> dormouse.start("w", "other", Object.class, ""));
            calls.put("start of a stub", () -> dormouse.start(() -> sum.of(1, 2)));
            calls.put("call of a stub", () -> sum.of(1, 2));
            calls.put("result", handle::result);
            calls.put("resultAsync", () -> handle.resultAsync().isDone());
            calls.put("terminate", () -> handle.terminate(""));
            calls.put("describe", handle::describe);
            calls.put("history", handle::history);
            calls.put("find", () -> dormouse.find("w", Object.class));
            calls.put("list", () -> dormouse.list(ListOptions.ALL));
            calls.forEach((name, call) -> {
                Throwable problem = catchThrowable(call::run);
                assertThat(problem).as(name).isNotNull();
                assertClear(problem, ErrorCode.DORMOUSE_CLOSED);
            });
        });
    }

    @Test
    void resultFutureFailsWhenTheNodeCloses() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                ctx.sleep(HOUR);
                return "";
            });
            var future = dormouse.start("w", "w", Object.class, "").resultAsync();
            sim.advance(Duration.ofSeconds(1));
            dormouse.close();
            assertThat(future).isCompletedExceptionally();
        });
    }
}
