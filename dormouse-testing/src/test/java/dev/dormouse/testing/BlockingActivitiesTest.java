package dev.dormouse.testing;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Activity;
import dev.dormouse.ActivityInterface;
import dev.dormouse.ActivityOptions;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Activities that block for real while the test, the workflow and, if the test says so, time go on. */
@Timeout(60)
class BlockingActivitiesTest {
    private static final TestOptions BLOCKING = TestOptions.DEFAULT.withBlockingActivities();
    private static final TestOptions HASTY = BLOCKING.withTimeout(Duration.ofMillis(600));

    /** A workflow that asks an oracle, and hears signals and updates meanwhile. */
    @WorkflowInterface
    public interface Asking {
        @WorkflowMethod
        String ask(String question);

        @SignalMethod
        void hear(String rumour);

        @UpdateMethod
        String askToo(String question);

        @QueryMethod
        List<String> heard();
    }

    @ActivityInterface
    public interface Oracle {
        String answer(String question);
    }

    public static final class AskingWorkflow implements Asking {
        private final Oracle oracle = Workflow.activities(Oracle.class);
        private final List<String> heard = new CopyOnWriteArrayList<>();

        @Override
        public String ask(String question) {
            String answer = oracle.answer(question);
            Workflow.awaitHandlers();
            return answer + heard;
        }

        @Override
        public void hear(String rumour) {
            heard.add(rumour);
        }

        @Override
        public String askToo(String question) {
            return oracle.answer(question);
        }

        @Override
        public List<String> heard() {
            return heard;
        }
    }

    private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final List<String> interrupted = new CopyOnWriteArrayList<>();

    private String answer(String question) {
        asked.add(question);
        try {
            return answers.take();
        } catch (InterruptedException stop) {
            interrupted.add(question);
            throw new IllegalStateException("interrupted", stop);
        }
    }

    private DormouseBuilder asking(DormouseBuilder builder) {
        return builder.workflow(Asking.class, AskingWorkflow::new).activities(Oracle.class, this::answer);
    }

    @Test
    void signalsUpdatesAndQueriesReachAWorkflowWhoseActivityBlocks() throws Exception {
        try (TestDormouse test = TestDormouse.open(BLOCKING, this::asking)) {
            Asking asking = test.dormouse().workflow(Asking.class, "a");
            WorkflowHandle<String> handle = test.dormouse().start(() -> asking.ask("why"));
            assertThat(test.block(asked::take)).isEqualTo("why");

            asking.hear("rain");
            test.advance(Duration.ZERO);
            assertThat(asking.heard()).containsExactly("rain");

            answers.add("because");
            assertThat(handle.result()).isEqualTo("because[rain]");
            assertThat(test.elapsed()).isZero();
        }
    }

    @Test
    void twoUpdatesAtOnceBlockInTheirActivities() throws Exception {
        try (TestDormouse test = TestDormouse.open(BLOCKING, this::asking)) {
            Asking asking = test.dormouse().workflow(Asking.class, "a");
            WorkflowHandle<String> handle = test.dormouse().start(() -> asking.ask("main"));
            CompletableFuture<String> first = test.async(() -> asking.askToo("first"));
            CompletableFuture<String> second = test.async(() -> asking.askToo("second"));

            assertThat(List.of(test.block(asked::take), test.block(asked::take), test.block(asked::take)))
                    .containsExactlyInAnyOrder("main", "first", "second");

            answers.addAll(List.of("x", "x", "x"));
            assertThat(first.join()).isEqualTo("x");
            assertThat(second.join()).isEqualTo("x");
            assertThat(handle.result()).isEqualTo("x[]");
        }
    }

    @Test
    void twoUpdatesAtOnceNeedNoBlockingActivities() {
        try (TestDormouse test = TestDormouse.open(builder -> builder.workflow(Asking.class, AskingWorkflow::new)
                .activities(Oracle.class, question -> question + "!"))) {
            Asking asking = test.dormouse().workflow(Asking.class, "a");
            test.dormouse().start(() -> asking.ask("main"));
            CompletableFuture<String> first = test.async(() -> asking.askToo("first"));
            CompletableFuture<String> second = test.async(() -> asking.askToo("second"));
            assertThat(List.of(first.join(), second.join())).containsExactly("first!", "second!");
            CompletableFuture<String> failing = test.async(() -> {
                throw new IllegalStateException("mine");
            });
            assertThat(catchThrowable(failing::join)).hasRootCauseMessage("mine");
        }
    }

    @Test
    void cancellingTheRunInterruptsTheActivityThatBlocks() throws Exception {
        try (TestDormouse test = TestDormouse.open(BLOCKING, this::asking)) {
            Asking asking = test.dormouse().workflow(Asking.class, "a");
            WorkflowHandle<String> handle = test.dormouse().start(() -> asking.ask("why"));
            test.block(asked::take);

            handle.cancel("enough");

            assertThat(catchThrowable(handle::result)).hasMessageContaining("enough");
            assertThat(test.block(() -> {
                        while (interrupted.isEmpty()) {
                            Thread.onSpinWait();
                        }
                        return interrupted;
                    }))
                    .containsExactly("why");
        }
    }

    @Test
    void cancelEndsTheWorkflowAndTwoUpdatesWhoseActivitiesBlock() throws Exception {
        try (TestDormouse test = TestDormouse.open(BLOCKING, this::asking)) {
            Asking asking = test.dormouse().workflow(Asking.class, "a");
            WorkflowHandle<String> handle = test.dormouse().start(() -> asking.ask("main"));
            CompletableFuture<String> first = test.async(() -> asking.askToo("first"));
            CompletableFuture<String> second = test.async(() -> asking.askToo("second"));
            List<String> all = List.of(test.block(asked::take), test.block(asked::take), test.block(asked::take));

            handle.cancel("enough");

            assertThat(catchThrowable(handle::result)).hasMessageContaining("enough");
            for (CompletableFuture<String> update : List.of(first, second)) {
                assertThat(catchThrowable(update::join)).hasMessageContaining("DM3011");
            }
            test.block(() -> {
                while (interrupted.size() < 3) {
                    Thread.onSpinWait();
                }
                return true;
            });
            assertThat(interrupted).containsExactlyInAnyOrderElementsOf(all);
        }
    }

    @Test
    void heartbeatOfACancelledActivityThrows() throws Exception {
        CountDownLatch beating = new CountDownLatch(1);
        AtomicReference<Throwable> seen = new AtomicReference<>();
        CountDownLatch ended = new CountDownLatch(1);
        try (TestDormouse test = TestDormouse.open(
                BLOCKING,
                builder -> builder.workflow("beat", String.class, String.class, (ctx, name) -> {
                    ctx.step("beat", () -> {
                        try {
                            for (int i = 0; ; i++) {
                                Activity.heartbeat(i);
                                beating.countDown();
                                Thread.onSpinWait();
                            }
                        } catch (CancelledException stop) {
                            seen.set(stop);
                            ended.countDown();
                        }
                    });
                    return name;
                }))) {
            WorkflowHandle<String> handle = test.dormouse().start("beat", "b", String.class, "x");
            test.block(() -> {
                beating.await();
                return true;
            });
            handle.cancel("enough");
            assertThat(catchThrowable(handle::result)).hasMessageContaining("enough");
            test.block(() -> {
                ended.await();
                return true;
            });
            assertThat(seen.get()).isInstanceOf(CancelledException.class);
        }
    }

    @Test
    void timePassesWhileAnActivityBlocksIfTheTestSaysSo() throws Exception {
        ActivityOptions hourly = ActivityOptions.DEFAULT.withAttemptTimeout(Duration.ofHours(1));
        try (TestDormouse test = TestDormouse.open(
                BLOCKING,
                builder -> builder.workflow(
                        "once",
                        String.class,
                        String.class,
                        (ctx, name) -> ctx.step("ask", hourly, String.class, () -> answer(name))))) {
            WorkflowHandle<String> handle = test.dormouse().start("once", "o", String.class, "why");
            test.block(asked::take);
            test.advanceWhileBlocked(Duration.ofHours(1).minusMillis(1));
            assertThat(asked).isEmpty();

            test.advanceWhileBlocked(Duration.ofMinutes(10));

            assertThat(test.block(asked::take)).isEqualTo("why");
            answers.add("because");
            assertThat(handle.result()).isEqualTo("because");
        }
    }

    @Test
    void timeStandsStillUntilAReleasedActivityHasEnded() throws Exception {
        for (int i = 0; i < 20; i++) {
            try (TestDormouse test = TestDormouse.open(
                    BLOCKING,
                    builder -> builder.workflow("race", String.class, String.class, (ctx, name) -> {
                        var answer = ctx.async(() -> ctx.step("ask", String.class, () -> answer(name)));
                        ctx.await(Duration.ofHours(1), answer::isDone);
                        return answer.isDone() ? answer.get() : "too late";
                    }))) {
                WorkflowHandle<String> handle = test.dormouse().start("race", "r", String.class, "why");
                test.block(asked::take);
                answers.add("because");
                test.advance(Duration.ofHours(2));
                assertThat(handle.result()).isEqualTo("because");
            }
        }
    }

    @Test
    void activityThatBlocksTooLongIsNamedAndTheTestCanContinue() throws Exception {
        try (TestDormouse test = TestDormouse.open(HASTY, this::asking)) {
            Asking asking = test.dormouse().workflow(Asking.class, "a");
            WorkflowHandle<String> handle = test.dormouse().start(() -> asking.ask("why"));
            for (Throwable problem :
                    List.of(catchThrowable(handle::result), catchThrowable(() -> test.advance(Duration.ofDays(1))))) {
                assertClear(problem, ErrorCode.ACTIVITY_BLOCKS);
                assertThat(problem)
                        .hasMessageContaining("BlockingActivitiesTest.answer")
                        .hasMessageContaining("advanceWhileBlocked");
            }
            assertThat(test.elapsed()).isZero();
            answers.add("because");
            assertThat(handle.result()).isEqualTo("because[]");
        }
    }

    @Test
    void testThatBlocksTooLongIsInterrupted() {
        try (TestDormouse test = TestDormouse.open(HASTY, this::asking)) {
            Throwable problem = catchThrowable(() -> test.block(asked::take));
            assertClear(problem, ErrorCode.TEST_BLOCKS);
            assertThat(problem).hasCauseInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isFalse();
            Asking asking = test.dormouse().workflow(Asking.class, "a");
            answers.add("because");
            assertThat(asking.ask("why")).isEqualTo("because[]");
        }
    }

    @Test
    void activityMayBlockInOnePlaceOnly() throws Exception {
        AtomicReference<TestDormouse> self = new AtomicReference<>();
        try (TestDormouse test = TestDormouse.open(builder -> builder.workflow(Asking.class, AskingWorkflow::new)
                .activities(Oracle.class, question -> {
                    try {
                        return self.get().block(() -> answer(question));
                    } catch (Exception problem) {
                        throw new IllegalStateException(problem);
                    }
                }))) {
            self.set(test);
            Asking asking = test.dormouse().workflow(Asking.class, "a");
            WorkflowHandle<String> handle = test.dormouse().start(() -> asking.ask("why"));
            test.block(asked::take);
            asking.hear("rain");
            answers.add("because");
            assertThat(handle.result()).isEqualTo("because[rain]");
        }
    }

    @Test
    void activitiesCallDormouseWhileTheyAreOutside() {
        AtomicReference<TestDormouse> self = new AtomicReference<>();
        try (TestDormouse test = TestDormouse.open(
                BLOCKING,
                builder -> builder.workflow("nap", String.class, String.class, (ctx, name) -> {
                            ctx.sleep(Duration.ofDays(1));
                            return name;
                        })
                        .workflow(
                                "starts",
                                String.class,
                                String.class,
                                (ctx, name) -> ctx.step(
                                        "start",
                                        String.class,
                                        () -> self.get()
                                                .dormouse()
                                                .start("nap", "nap", String.class, name)
                                                .result())))) {
            self.set(test);
            assertThat(test.dormouse()
                            .start("starts", "s", String.class, "slept")
                            .result())
                    .isEqualTo("slept");
            assertThat(test.elapsed()).isEqualTo(Duration.ofDays(1));
        }
    }

    @Test
    void restartAbandonsActivitiesThatBlock() throws Exception {
        try (TestDormouse test = TestDormouse.open(BLOCKING, this::asking)) {
            Asking asking = test.dormouse().workflow(Asking.class, "a");
            test.dormouse().start(() -> asking.ask("why"));
            test.block(asked::take);

            test.restart();

            assertThat(test.block(asked::take)).isEqualTo("why");
            answers.add("because");
            assertThat(test.dormouse().find("a", String.class).orElseThrow().result())
                    .isEqualTo("because[]");
        }
    }

    @Test
    void closeInterruptsActivitiesThatBlock() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        TestDormouse test = TestDormouse.open(
                BLOCKING,
                builder -> builder.workflow(
                        "blocks",
                        String.class,
                        String.class,
                        (ctx, name) -> ctx.step("block", String.class, () -> {
                            try {
                                return answer(name);
                            } finally {
                                ended.countDown();
                            }
                        })));
        test.dormouse().start("blocks", "b", String.class, "why");
        test.block(asked::take);
        test.close();
        ended.await();
        assertThat(interrupted).containsExactly("why");
    }

    @Test
    void otherThreadsMayNotBlockHere() throws Exception {
        try (TestDormouse test = TestDormouse.open(BLOCKING, this::asking)) {
            AtomicReference<Throwable> problem = new AtomicReference<>();
            Thread stranger = new Thread(() -> problem.set(catchThrowable(() -> test.block(() -> "x"))), "stranger");
            stranger.start();
            stranger.join();
            assertClear(problem.get(), ErrorCode.NOT_A_TEST_THREAD);
            assertThat(problem.get()).isInstanceOf(DormouseException.class);
        }
    }
}
