package dev.dormouse.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.dormouse.ActivityOptions;
import dev.dormouse.ChildOptions;
import dev.dormouse.IdReuse;
import dev.dormouse.Promise;
import dev.dormouse.SignalMethod;
import dev.dormouse.StartOptions;
import dev.dormouse.StepFunction;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInit;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.ApplicationException;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.UpdateFailedException;
import dev.dormouse.inspect.RunStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Behavior that users of Temporal ask about, one small workflow each. docs/coming-from-temporal.md has the table. */
@Timeout(60)
class SameWordsTest {
    private static final Duration DAY = Duration.ofDays(1);

    /** Notes the order in which its methods are called. */
    @WorkflowInterface
    public interface Diary {
        @WorkflowMethod
        List<String> write(int rounds);

        @SignalMethod
        void note(String text);

        @UpdateMethod
        String slowly(String text);
    }

    public static final class DiaryWorkflow implements Diary {
        private final List<String> notes = new ArrayList<>();

        @WorkflowInit
        void init(int rounds) {
            notes.add("init");
        }

        @Override
        public List<String> write(int rounds) {
            notes.add("first line");
            if (rounds > 0) {
                return Workflow.continueAsNew(Diary.class).write(rounds - 1);
            }
            Workflow.sleep(DAY);
            return notes;
        }

        @Override
        public void note(String text) {
            notes.add(text);
        }

        @Override
        public String slowly(String text) {
            try {
                Workflow.sleep(Duration.ofHours(1));
                return "slept";
            } catch (CancelledException cancelled) {
                notes.add("handler cancelled");
                throw cancelled;
            }
        }
    }

    private static TestDormouse diary() {
        return TestDormouse.open(builder -> builder.workflow(Diary.class, DiaryWorkflow::new));
    }

    @FunctionalInterface
    private interface Code {
        String run(WorkflowContext ctx, String input) throws Exception;
    }

    private static TestDormouse of(Code code) {
        return TestDormouse.open(
                builder -> builder.workflow("code", String.class, String.class, (ctx, input) -> code.run(ctx, input)));
    }

    private static WorkflowHandle<String> start(TestDormouse test) {
        return test.dormouse().start("code", "w", String.class, "");
    }

    @Test
    void cancelledActivityIsNotAFailedActivity() {
        List<String> seen = new ArrayList<>();
        TestDormouse[] self = new TestDormouse[1];
        try (TestDormouse test = of((ctx, input) -> {
            try {
                ctx.step("slow", () -> self[0].advance(DAY));
            } catch (ActivityFailedException failed) {
                seen.add("failed");
            } catch (CancelledException cancelled) {
                seen.add("cancelled");
                throw cancelled;
            }
            return "";
        })) {
            self[0] = test;
            WorkflowHandle<String> handle = start(test);
            test.advance(Duration.ofHours(1));
            handle.cancel("enough");
            assertThat(catchThrowable(handle::result)).hasMessageContaining("enough");
            assertThat(seen).containsOnly("cancelled");
        }
    }

    /** Runs an activity for ten seconds after a cancel, and returns what its call returned or threw. */
    private static String afterCancel(ActivityOptions options, StepFunction<String> end) {
        TestDormouse[] self = new TestDormouse[1];
        try (TestDormouse test = of((ctx, input) -> {
            try {
                return ctx.step("slow", options, String.class, () -> {
                    while (!Thread.interrupted()) {
                        self[0].advance(Duration.ofSeconds(1));
                    }
                    self[0].advance(Duration.ofSeconds(10));
                    return end.run();
                });
            } catch (CancelledException cancelled) {
                return cancelled.reason() + Arrays.toString(cancelled.getSuppressed());
            }
        })) {
            self[0] = test;
            WorkflowHandle<String> handle = start(test);
            test.advance(Duration.ofHours(1));
            handle.cancel("enough");
            String result = handle.result();
            assertThat(test.elapsed()).isBetween(Duration.ofSeconds(3_610), Duration.ofSeconds(3_612));
            return result;
        }
    }

    @Test
    void callThatWaitsForACancelledActivityReturnsItsResultOrACancellation() {
        ActivityOptions waits = ActivityOptions.DEFAULT.withWaitForCancellation();
        assertThat(afterCancel(waits, () -> "cleaned up")).isEqualTo("cleaned up");
        assertThat(afterCancel(waits, () -> {
                    throw new ApplicationException("DiskFull", "no room");
                }))
                .startsWith("enough[dev.dormouse.error.ActivityFailedException")
                .contains("DiskFull: no room");
    }

    @Test
    void cancelledSleepThrowsCancelledException() {
        List<String> seen = new ArrayList<>();
        try (TestDormouse test = of((ctx, input) -> {
            try {
                ctx.sleep(DAY);
            } catch (CancelledException cancelled) {
                seen.add("cancelled");
                throw cancelled;
            }
            return "";
        })) {
            WorkflowHandle<String> handle = start(test);
            test.advance(Duration.ofHours(1));
            handle.cancel("enough");
            assertThat(catchThrowable(handle::result)).hasMessageContaining("enough");
            assertThat(seen).containsExactly("cancelled");
            assertThat(handle.describe().status()).isEqualTo(RunStatus.CANCELLED);
            assertThat(test.elapsed()).isEqualTo(Duration.ofHours(1));
        }
    }

    @Test
    void updateThatExecutesWhenItsRunIsCancelled() {
        try (TestDormouse test = diary()) {
            Diary diary = test.dormouse().workflow(Diary.class, "d");
            WorkflowHandle<List<String>> handle = test.dormouse().start(() -> diary.write(0));
            CompletableFuture<String> update = test.async(() -> diary.slowly("x"));
            test.advance(Duration.ofSeconds(10));
            handle.cancel("enough");
            Throwable problem = catchThrowable(update::join);
            assertThat(problem).hasMessageContaining("DM3011").hasMessageContaining("cancel");
            assertThat(problem)
                    .cause()
                    .isInstanceOfSatisfying(
                            UpdateFailedException.class,
                            failed -> assertThat(failed.isCausedBy(CancelledException.class))
                                    .isTrue());
            assertThat(catchThrowable(handle::result)).hasMessageContaining("enough");
            assertThat(test.elapsed()).isEqualTo(Duration.ofSeconds(10));
        }
    }

    @Test
    void signalsBeforeTheFirstLineAreHandledAfterInit() {
        try (TestDormouse test = diary()) {
            Diary diary = test.dormouse().workflow(Diary.class, "d", StartOptions.DEFAULT.withStartDelay(DAY));
            WorkflowHandle<List<String>> handle = test.dormouse().start(() -> diary.write(0));
            diary.note("early");
            assertThat(handle.result()).containsExactly("init", "early", "first line");
        }
    }

    @Test
    void signalsThatAreNotTakenGoToTheNextRun() {
        try (TestDormouse test = of((ctx, input) -> {
            if (input.isEmpty()) {
                ctx.sleep(Duration.ofHours(1));
                return ctx.continueAsNew("next");
            }
            return input + " " + ctx.waitForSignal(DAY).orElseThrow().name();
        })) {
            WorkflowHandle<String> handle = start(test);
            test.advance(Duration.ofMinutes(30));
            handle.signal("early");
            assertThat(handle.result()).isEqualTo("next early");
            assertThat(test.elapsed()).isEqualTo(Duration.ofHours(1));
        }
    }

    @Test
    void childIsCancelledWithItsParent() {
        List<String> seen = new ArrayList<>();
        try (TestDormouse test =
                TestDormouse.open(builder -> builder.workflow("child", String.class, String.class, (ctx, input) -> {
                            try {
                                ctx.sleep(DAY);
                            } catch (CancelledException cancelled) {
                                seen.add("child cancelled");
                                throw cancelled;
                            }
                            return "";
                        })
                        .workflow("code", String.class, String.class, (ctx, input) -> {
                            Promise<String> child = ctx.child("child", "c", ChildOptions.DEFAULT, String.class, "");
                            return child.get();
                        }))) {
            WorkflowHandle<String> handle = start(test);
            test.advance(Duration.ofHours(1));
            handle.cancel("enough");
            assertThat(catchThrowable(handle::result)).hasMessageContaining("enough");
            test.advance(Duration.ZERO);
            assertThat(test.dormouse()
                            .find("c", String.class)
                            .orElseThrow()
                            .describe()
                            .status())
                    .isEqualTo(RunStatus.CANCELLED);
            assertThat(seen).containsExactly("child cancelled");
        }
    }

    @Test
    void nonRetryableFailureEndsTheActivityAtOnce() {
        AtomicInteger attempts = new AtomicInteger();
        try (TestDormouse test = of((ctx, input) -> {
            ctx.step("pay", () -> {
                attempts.incrementAndGet();
                throw ActivityFailedException.nonRetryable("no money");
            });
            return "";
        })) {
            assertThat(catchThrowable(start(test)::result)).hasMessageContaining("no money");
            assertThat(attempts).hasValue(1);
            assertThat(test.elapsed()).isZero();
        }
    }

    @Test
    void activitiesAreRetriedWithoutEndByDefault() {
        AtomicInteger attempts = new AtomicInteger();
        try (TestDormouse test = of((ctx, input) -> {
            ctx.step("pay", () -> {
                if (attempts.incrementAndGet() < 100) {
                    throw new IllegalStateException("not yet");
                }
            });
            return "paid";
        })) {
            assertThat(start(test).result()).isEqualTo("paid");
            assertThat(test.elapsed()).isGreaterThan(Duration.ofMinutes(60));
        }
    }

    @Test
    void executionTimeoutEndsTheRunWithoutItsCode() {
        List<String> seen = new ArrayList<>();
        try (TestDormouse test = of((ctx, input) -> {
            try {
                ctx.sleep(DAY);
            } catch (CancelledException cancelled) {
                seen.add("cancelled");
            }
            seen.add("code");
            return "";
        })) {
            WorkflowHandle<String> handle = test.dormouse()
                    .start(
                            "code",
                            "w",
                            StartOptions.DEFAULT.withExecutionTimeout(Duration.ofHours(1)),
                            String.class,
                            "");
            DormouseException problem = catchThrowableOfType(DormouseException.class, handle::result);
            assertThat(problem.code()).isEqualTo(ErrorCode.RUN_TIMED_OUT);
            assertThat(seen).isEmpty();
        }
    }

    @Test
    void startOfAnIdWhoseRunIsClosedReturnsThatRun() {
        AtomicInteger runs = new AtomicInteger();
        try (TestDormouse test = of((ctx, input) -> "" + ctx.step("count", Integer.class, runs::incrementAndGet))) {
            assertThat(start(test).result()).isEqualTo("1");
            assertThat(start(test).result()).isEqualTo("1");
            StartOptions anew = StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW);
            assertThat(test.dormouse()
                            .start("code", "w", anew, String.class, "")
                            .result())
                    .isEqualTo("2");
        }
    }

    @Test
    void closedRunAnswersQueries() {
        try (TestDormouse test = TestDormouse.open(builder -> builder.workflow(
                        BlockingActivitiesTest.Asking.class, BlockingActivitiesTest.AskingWorkflow::new)
                .activities(BlockingActivitiesTest.Oracle.class, question -> "yes"))) {
            BlockingActivitiesTest.Asking asking = test.dormouse().workflow(BlockingActivitiesTest.Asking.class, "a");
            assertThat(asking.ask("why")).isEqualTo("yes[]");
            assertThat(asking.heard()).isEmpty();
        }
    }
}
