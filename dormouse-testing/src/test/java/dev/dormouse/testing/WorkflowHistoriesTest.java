package dev.dormouse.testing;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.ChildOptions;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.Promise;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.run.CodeMismatch;
import dev.dormouse.support.Approval;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class WorkflowHistoriesTest {
    private final List<String> executed = new ArrayList<>();

    interface Shop {
        String order(String item);
    }

    private String order(WorkflowContext ctx, String item) {
        ctx.step("charge", () -> executed.add("charge"));
        ctx.sleep(Duration.ofDays(2));
        String ordered = ctx.activities(Shop.class).order(item);
        ctx.step("thank", () -> executed.add("thank"));
        return ordered;
    }

    private DormouseBuilder orders(DormouseBuilder builder) {
        return builder.workflow("order", String.class, String.class, this::order)
                .activities(Shop.class, item -> "ordered " + item);
    }

    /** Returns the history of a run after {@code time}. */
    private String history(Duration time) {
        try (TestDormouse test = TestDormouse.open(this::orders)) {
            WorkflowHandle<String> handle = test.dormouse().start("order", "o", String.class, "book");
            test.advance(time);
            executed.clear();
            return WorkflowHistories.toJson(handle);
        }
    }

    private static DormouseBuilder with(DormouseBuilder builder, WorkflowFunction<String, String> code) {
        return builder.workflow("order", String.class, String.class, code);
    }

    @Test
    void sameCodeMatchesAndNothingIsExecuted() {
        for (Duration time : List.of(Duration.ZERO, Duration.ofDays(1), Duration.ofDays(3))) {
            WorkflowHistories.replay(history(time), builder -> with(builder, this::order));
            assertThat(executed).isEmpty();
        }
    }

    @Test
    void historyThatBeginsWithThatOfAnotherRunMatchesToo() {
        WorkflowFunction<String, String> code = (ctx, item) -> {
            UUID id = ctx.randomUuid();
            Promise<String> kid = ctx.child("kid", "kid", ChildOptions.DEFAULT, String.class, "x");
            String signal = ctx.waitForSignal(Duration.ofDays(1)).orElseThrow().name();
            String step = ctx.step(id + " " + ctx.info().runId(), String.class, () -> "step");
            return kid.get() + signal + step + ctx.randomUuid();
        };
        String json;
        try (TestDormouse test = TestDormouse.open(
                builder -> with(builder, code).workflow("kid", String.class, String.class, (ctx, x) -> "kid"))) {
            WorkflowHandle<String> handle = test.dormouse().start("order", "o", String.class, "book");
            handle.signal("go");
            String result = handle.result();
            for (int events = handle.history().size() - 1; events > 0; events--) {
                handle = handle.reset(events);
                assertThat(handle.result()).isEqualTo(result);
                WorkflowHistories.replay(WorkflowHistories.toJson(handle), builder -> with(builder, code));
            }
            json = WorkflowHistories.toJson(handle);
        }
        assertThat(json).contains("\"identity\"");
    }

    @Test
    void replacedStepIsNamedWithItsLine() {
        String json = history(Duration.ofDays(1));
        Throwable problem = catchThrowable(() -> WorkflowHistories.replay(
                json,
                builder -> with(builder, (ctx, item) -> {
                    ctx.step("weigh", () -> executed.add("weigh"));
                    return order(ctx, item);
                })));
        assertThat(problem).isInstanceOf(CodeMismatch.class);
        assertClear(problem, ErrorCode.CODE_DOES_NOT_MATCH);
        assertThat(problem)
                .hasMessageContaining("step 'charge' completed")
                .hasMessageContaining("step 'weigh'")
                .hasMessageContaining("WorkflowHistoriesTest.java:");
        assertThat(executed).isEmpty();
    }

    @Test
    void differencesAnywhereAreFound() {
        String closed = history(Duration.ofDays(3));
        List<WorkflowFunction<String, String>> wrong = List.of(
                (ctx, item) -> "ends at once",
                (ctx, item) -> {
                    ctx.step("charge", () -> {});
                    return "ends early";
                },
                (ctx, item) -> {
                    ctx.step("charge", () -> {});
                    ctx.sleep(Duration.ofDays(2));
                    ctx.activities(Shop.class).order(item);
                    return "thanks nobody";
                },
                (ctx, item) -> {
                    order(ctx, item);
                    throw new IllegalStateException("fails now");
                },
                (ctx, item) -> {
                    order(ctx, item);
                    ctx.await(() -> false);
                    return "waits now";
                },
                (ctx, item) -> {
                    order(ctx, item);
                    ctx.continueAsNew("again");
                    return "";
                },
                (ctx, item) -> {
                    ctx.sleep(Duration.ofDays(2));
                    return order(ctx, item);
                },
                (ctx, item) -> {
                    throw new Exception("fails at once");
                });
        for (WorkflowFunction<String, String> code : wrong) {
            Throwable problem = catchThrowable(() -> WorkflowHistories.replay(closed, builder -> with(builder, code)));
            assertClear(problem, ErrorCode.CODE_DOES_NOT_MATCH);
        }
    }

    @Test
    void extraStepAtTheEndOfAClosedRunIsFound() {
        Throwable problem = catchThrowable(() -> WorkflowHistories.replay(
                history(Duration.ofDays(3)),
                builder -> with(builder, (ctx, item) -> {
                    String result = order(ctx, item);
                    ctx.step("survey", () -> {});
                    return result;
                })));
        assertClear(problem, ErrorCode.CODE_DOES_NOT_MATCH);
        assertThat(problem).hasMessageContaining("run completed").hasMessageContaining("WorkflowHistoriesTest.java:");
    }

    @Test
    void changesBehindAVersionMatchOldHistories() {
        for (Duration time : List.of(Duration.ofDays(1), Duration.ofDays(3))) {
            WorkflowHistories.replay(
                    history(time),
                    builder -> with(builder, (ctx, item) -> {
                        String result = order(ctx, item);
                        if (ctx.version("survey", 0, 1) == 1) {
                            ctx.step("survey", () -> {});
                        }
                        return result;
                    }));
        }
    }

    @Test
    void openRunMayGoOnAsItLikes() {
        WorkflowHistories.replay(
                history(Duration.ofDays(1)),
                builder -> with(builder, (ctx, item) -> {
                    ctx.step("charge", () -> {});
                    ctx.sleep(Duration.ofDays(2));
                    return ctx.step("something new", String.class, () -> "never executed");
                }));
    }

    @Test
    void terminatedAndTimedOutRunsMatchWhereverTheirCodeIs() {
        try (TestDormouse test = TestDormouse.open(this::orders)) {
            WorkflowHandle<String> handle = test.dormouse().start("order", "o", String.class, "book");
            test.advance(Duration.ofDays(1));
            handle.terminate("enough");
            WorkflowHistories.replay(WorkflowHistories.toJson(handle), builder -> with(builder, this::order));
        }
    }

    @Test
    void filesOfInterfacesInOneLine(@TempDir Path folder) {
        Path file = folder.resolve("new").resolve("approval.json");
        try (TestDormouse test =
                TestDormouse.open(builder -> builder.workflow(Approval.class, Approval.Implementation::new))) {
            Approval approval = test.dormouse().workflow(Approval.class, "a");
            Instant deadline = test.now().plus(Duration.ofDays(3));
            test.dormouse().start(() -> approval.execute(deadline));
            approval.moveDeadline(deadline.plus(Duration.ofDays(1)));
            approval.approve();
            test.advance(Duration.ofDays(1));
            WorkflowHistories.export(test.dormouse(), "a", file);
            WorkflowHistories.export(test.dormouse(), "a", file);
        }
        assertThat(file).content().contains("\"moveDeadline\"").contains("\"APPROVED\"");

        WorkflowHistories.replay(file, Approval.class, Approval.Implementation::new);

        Throwable problem = catchThrowable(() ->
                WorkflowHistories.replay(file, Approval.class, () -> new Approval.Implementation() {
                    @Override
                    public String execute(Instant deadline) {
                        Workflow.step("new", () -> {});
                        return super.execute(deadline);
                    }
                }));
        assertClear(problem, ErrorCode.CODE_DOES_NOT_MATCH);
    }

    @Test
    void coroutinesAreReplayedToo() {
        WorkflowFunction<String, String> code = (ctx, item) -> {
            Promise<String> one = ctx.async(() -> ctx.step("one", String.class, () -> "1"));
            Promise<String> two = ctx.async(() -> {
                ctx.sleep(Duration.ofHours(1));
                return ctx.step("two", String.class, () -> "2");
            });
            return one.get() + two.get();
        };
        try (TestDormouse test = TestDormouse.open(builder -> with(builder, code))) {
            WorkflowHandle<String> handle = test.dormouse().start("order", "o", String.class, "book");
            assertThat(handle.result()).isEqualTo("12");
            WorkflowHistories.replay(WorkflowHistories.toJson(handle), builder -> with(builder, code));
        }
    }

    @Test
    void badCallsAreRefused(@TempDir Path folder) throws Exception {
        String json = history(Duration.ZERO);
        assertClear(
                catchThrowable(() -> WorkflowHistories.replay(json, Approval.class, Approval.Implementation::new)),
                ErrorCode.UNKNOWN_WORKFLOW_TYPE);
        assertClear(
                catchThrowable(() -> WorkflowHistories.replay(json, builder -> builder)),
                ErrorCode.UNKNOWN_WORKFLOW_TYPE);
        Path broken = folder.resolve("broken.json");
        Files.writeString(broken, json.replace("TimerScheduled", "TimerSet"));
        assertThat(catchThrowable(() -> WorkflowHistories.replay(broken, builder -> with(builder, this::order))))
                .hasMessageContaining("at events[2].kind of history file " + broken);
        Files.writeString(broken, "{}");
        assertThat(catchThrowable(() -> WorkflowHistories.replay(broken, builder -> with(builder, this::order))))
                .hasMessageContaining("history file " + broken);
        assertThat(catchThrowable(() ->
                        WorkflowHistories.replay(folder.resolve("none.json"), builder -> with(builder, this::order))))
                .isInstanceOf(UncheckedIOException.class);
        try (TestDormouse test = TestDormouse.open(this::orders)) {
            assertClear(
                    catchThrowable(() -> WorkflowHistories.toJson(test.dormouse(), "nobody")), ErrorCode.RUN_NOT_FOUND);
        }
    }
}
