package dev.dormouse.testing;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.QueueOptions;
import dev.dormouse.StartOptions;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.support.Approval;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that wait in vain: they fail, and the error names what every open run waits for. */
@Timeout(60)
class NeverHangsTest {
    private static final TestOptions HASTY = TestOptions.DEFAULT.withTimeout(Duration.ofMillis(600));

    @Test
    void runsThatWaitForMailAreListed() {
        try (TestDormouse test =
                TestDormouse.open(builder -> builder.workflow("patient", String.class, String.class, (ctx, name) -> {
                    ctx.await(() -> false);
                    return name;
                }))) {
            WorkflowHandle<String> handle = test.dormouse().start("patient", "waits-1", String.class, "x");
            test.dormouse().start("patient", "waits-2", String.class, "x");

            Throwable problem = catchThrowable(handle::result);

            assertClear(problem, ErrorCode.NOTHING_GOES_ON);
            assertThat(problem)
                    .hasMessageContaining(
                            "'waits-1' of type 'patient' (WAITING, run " + handle.runId() + ") waits for a")
                    .hasMessageContaining("'waits-2'")
                    .hasMessageContaining("result(Duration)");
            assertThat(test.elapsed()).isZero();
        }
    }

    @Test
    void runsInARateLimitedQueueGoOn() {
        try (TestDormouse test = TestDormouse.open(
                builder -> builder.queue("slow", QueueOptions.DEFAULT.withRatePerKey(1, Duration.ofMinutes(1)))
                        .workflow("call", String.class, String.class, (ctx, name) -> name))) {
            StartOptions options = StartOptions.DEFAULT.withQueue("slow");
            WorkflowHandle<String> first = test.dormouse().start("call", "1", options, String.class, "first");
            WorkflowHandle<String> second = test.dormouse().start("call", "2", options, String.class, "second");

            assertThat(second.result()).isEqualTo("second");
            assertThat(first.result()).isEqualTo("first");
            assertThat(test.elapsed()).isEqualTo(Duration.ofMinutes(1));
        }
    }

    @Test
    void testCanGoOnAfterwards() {
        try (TestDormouse test = TestDormouse.open(builder -> builder.workflow(
                "signal",
                String.class,
                String.class,
                (ctx, name) ->
                        ctx.waitForSignal(Duration.ofDays(36_000)).orElseThrow().name()))) {
            Dormouse dormouse = test.dormouse();
            WorkflowHandle<String> handle = dormouse.start("signal", "s", String.class, "x");
            assertThat(catchThrowable(() -> handle.result(Duration.ofDays(1)))).isInstanceOf(DormouseException.class);
            handle.signal("go");
            assertThat(handle.result()).isEqualTo("go");
        }
    }

    @Test
    void manyRunsAreNotAllListed() {
        try (TestDormouse test =
                TestDormouse.open(builder -> builder.workflow("patient", String.class, String.class, (ctx, name) -> {
                    ctx.await(() -> false);
                    return name;
                }))) {
            for (int i = 0; i < 100; i++) {
                test.dormouse().start("patient", "waits-" + i, String.class, "x");
            }
            WorkflowHandle<String> one =
                    test.dormouse().find("waits-7", String.class).orElseThrow();
            assertThat(catchThrowable(one::result)).hasMessageContaining("and 80 more");
        }
    }

    @Test
    void stuckRunsAreNotWaitedForThoughTheyAreTriedAgain() {
        try (TestDormouse test =
                TestDormouse.open(builder -> builder.workflow("stuck", String.class, String.class, (ctx, name) -> {
                    throw new StackOverflowError("deep");
                }))) {
            WorkflowHandle<String> handle = test.dormouse().start("stuck", "s", String.class, "x");
            Throwable problem = catchThrowable(handle::result);
            assertClear(problem, ErrorCode.NOTHING_GOES_ON);
            assertThat(problem).hasMessageContaining("is stuck:").hasMessageContaining("deep");
        }
    }

    @Test
    void unregisteredTypesAreNamed() {
        try (TestDormouse test = TestDormouse.open(builder -> builder.remoteWorkflow("abroad"))) {
            WorkflowHandle<String> handle = test.dormouse().start("abroad", "a", String.class, "x");
            Throwable problem = catchThrowable(handle::result);
            assertClear(problem, ErrorCode.NOTHING_GOES_ON);
            assertThat(problem).hasMessageContaining("'a' of type 'abroad'").hasMessageContaining("not registered");
        }
    }

    @Test
    void childrenThatWaitAreListedBesideTheirParent() {
        try (TestDormouse test =
                TestDormouse.open(builder -> builder.workflow(Approval.class, Approval.Implementation::new)
                        .workflow("parent", String.class, String.class, (ctx, name) -> {
                            ctx.await(() -> false);
                            return "";
                        }))) {
            WorkflowHandle<String> parent = test.dormouse().start("parent", "parent", String.class, "x");
            Approval approval = test.dormouse().workflow(Approval.class, "approval");
            test.dormouse().start(() -> approval.execute(test.now().plus(Duration.ofDays(1))));
            Throwable problem = catchThrowable(parent::result);
            assertThat(problem).hasMessageContaining("'parent'").hasMessageNotContaining("'approval'");
            assertThat(test.elapsed()).isEqualTo(Duration.ofDays(1));
        }
    }

    @Test
    void stepThatWaitsForEverIsNamed() {
        AtomicReference<Dormouse> dormouse = new AtomicReference<>();
        try (TestDormouse test =
                TestDormouse.open(builder -> builder.workflow("patient", String.class, String.class, (ctx, name) -> {
                            ctx.await(() -> false);
                            return name;
                        })
                        .workflow(
                                "asks",
                                String.class,
                                String.class,
                                (ctx, name) -> ctx.step(
                                        "ask",
                                        String.class,
                                        () -> dormouse.get()
                                                .start("patient", "p", String.class, "")
                                                .result())))) {
            dormouse.set(test.dormouse());
            WorkflowHandle<String> handle = test.dormouse().start("asks", "asks", String.class, "");
            assertThat(catchThrowable(handle::result))
                    .hasMessageContaining("'asks' of type 'asks' (RUNNING")
                    .hasMessageContaining("is in a step")
                    .hasMessageContaining("'p' of type 'patient' (WAITING");
        }
    }

    @Test
    void updateThatIsNotAnsweredEndsAsInProduction() {
        try (TestDormouse test =
                TestDormouse.open(builder -> builder.workflow("deaf", String.class, String.class, (ctx, name) -> {
                    ctx.await(() -> false);
                    return name;
                }))) {
            WorkflowHandle<String> handle = test.dormouse().start("deaf", "d", String.class, "x");
            assertThat(catchThrowable(() -> handle.update("nothing", String.class)))
                    .isInstanceOf(DormouseException.class);
        }
    }

    @Test
    void endlessBusynessEndsWithPatience() {
        try (TestDormouse test = TestDormouse.open(
                HASTY,
                builder -> builder.workflow("cron", Integer.class, String.class, (ctx, round) -> {
                            ctx.sleep(Duration.ofMinutes(1));
                            ctx.continueAsNew(round + 1);
                            return "";
                        })
                        .workflow("patient", String.class, String.class, (ctx, name) -> {
                            ctx.await(() -> false);
                            return name;
                        }))) {
            test.dormouse().start("cron", "cron", String.class, 0);
            WorkflowHandle<String> handle = test.dormouse().start("patient", "p", String.class, "x");
            Throwable problem = catchThrowable(handle::result);
            assertClear(problem, ErrorCode.TEST_OUT_OF_PATIENCE);
            assertThat(problem).hasMessageContaining("of simulated time").hasMessageContaining("PT0.6S of real time");
            assertClear(catchThrowable(handle::describe), ErrorCode.TEST_ENDED);
        }
    }

    @Test
    void codeThatBlocksForRealIsShown() {
        CountDownLatch never = new CountDownLatch(1);
        try (TestDormouse test = TestDormouse.open(
                HASTY,
                builder -> builder.workflow("blocks", String.class, String.class, (ctx, name) -> {
                    blockForReal(never);
                    return name;
                }))) {
            WorkflowHandle<String> handle = test.dormouse().start("blocks", "b", String.class, "x");
            Throwable problem = catchThrowable(handle::result);
            assertClear(problem, ErrorCode.TEST_OUT_OF_PATIENCE);
            assertThat(problem)
                    .hasMessageContaining("node-1/run b#")
                    .hasMessageContaining("NeverHangsTest.blockForReal");
            assertClear(catchThrowable(() -> test.advance(Duration.ofDays(1))), ErrorCode.TEST_ENDED);
            assertClear(catchThrowable(test::restart), ErrorCode.TEST_ENDED);
        } finally {
            never.countDown();
        }
    }

    private static void blockForReal(CountDownLatch latch) throws InterruptedException {
        latch.await();
    }

    @Test
    void closeDoesNotHangEither() {
        CountDownLatch never = new CountDownLatch(1);
        TestDormouse test = TestDormouse.open(
                HASTY,
                builder -> builder.workflow("blocks", String.class, String.class, (ctx, name) -> {
                    try {
                        ctx.sleep(Duration.ofDays(1));
                    } finally {
                        never.await(); // also when its world ends
                    }
                    return name;
                }));
        test.dormouse().start("blocks", "b", String.class, "x");
        Throwable problem = catchThrowable(() -> {
            test.advance(Duration.ZERO);
            test.close();
        });
        never.countDown();
        assertThat(problem).hasMessageContaining("NeverHangsTest");
    }

    @Test
    void futuresCanBeJoined() {
        try (TestDormouse test =
                TestDormouse.open(builder -> builder.workflow("nap", String.class, String.class, (ctx, name) -> {
                    ctx.sleep(Duration.ofDays(1));
                    return name;
                }))) {
            CompletableFuture<String> future =
                    test.dormouse().start("nap", "n", String.class, "slept").resultAsync();
            assertThat(future.thenApply(String::length).join()).isEqualTo(5);
            assertThat(test.elapsed()).isEqualTo(Duration.ofDays(1));
        }
    }

    @Test
    void otherThreadsAreRefused() throws Exception {
        try (TestDormouse test = TestDormouse.open(
                builder -> builder.workflow("echo", String.class, String.class, (ctx, name) -> name))) {
            AtomicReference<Throwable> problem = new AtomicReference<>();
            Thread stranger = new Thread(
                    () -> problem.set(catchThrowable(() -> test.dormouse().start("echo", "e", String.class, "x"))),
                    "stranger");
            stranger.start();
            stranger.join();
            assertClear(problem.get(), ErrorCode.NOT_A_TEST_THREAD);
            assertThat(problem.get()).hasMessageContaining("'stranger'");
            assertThat(test.dormouse().start("echo", "e", String.class, "x").result())
                    .isEqualTo("x");
        }
    }

    @Test
    void closedTestIsClosed() {
        TestDormouse test =
                TestDormouse.open(builder -> builder.workflow("echo", String.class, String.class, (ctx, name) -> name));
        Dormouse dormouse = test.dormouse();
        test.close();
        test.close();
        assertClear(catchThrowable(() -> dormouse.start("echo", "e", String.class, "x")), ErrorCode.TEST_ENDED);
        assertClear(catchThrowable(() -> test.advance(Duration.ofDays(1))), ErrorCode.TEST_ENDED);
        assertClear(catchThrowable(test::restart), ErrorCode.TEST_ENDED);
    }

    @Test
    void badSetUpLeavesNothingBehind() {
        assertThat(catchThrowable(() -> TestDormouse.open(builder -> builder.maxExecuting(0))))
                .hasMessageContaining("DM1006");
        assertThat(catchThrowable(() -> TestDormouse.open(builder -> {
                    throw new IllegalStateException("set-up");
                })))
                .hasMessage("set-up");
        assertThat(catchThrowable(() -> Workflow.sleep(Duration.ZERO))).hasMessageContaining("DM1008");
    }

    @Test
    void twoTestsSideBySide() {
        try (TestDormouse one = TestDormouse.open(
                        builder -> builder.workflow("echo", String.class, String.class, (ctx, name) -> name));
                TestDormouse other = TestDormouse.open(
                        builder -> builder.workflow("echo", String.class, String.class, (ctx, name) -> name + "!"))) {
            one.advance(Duration.ofDays(1));
            assertThat(one.dormouse().start("echo", "e", String.class, "x").result())
                    .isEqualTo("x");
            assertThat(other.dormouse().start("echo", "e", String.class, "x").result())
                    .isEqualTo("x!");
            assertThat(other.elapsed()).isZero();
        }
    }

    @Test
    void codeThatDoesNotRepeatItselfIsFound() {
        AtomicInteger times = new AtomicInteger();
        try (TestDormouse test =
                TestDormouse.open(builder -> builder.workflow("moody", String.class, String.class, (ctx, name) -> {
                    ctx.step("step " + times.incrementAndGet(), () -> {});
                    ctx.sleep(Duration.ofSeconds(1));
                    return name;
                }))) {
            WorkflowHandle<String> handle = test.dormouse().start("moody", "m", String.class, "x");
            assertThat(catchThrowable(handle::result))
                    .hasMessageContaining("DM5001")
                    .hasMessageContaining("[DM4001]")
                    .hasMessageContaining("step 'step 1' completed")
                    .hasMessageContaining("NeverHangsTest.java:");
        }
    }

    @Test
    void endlessLoopWithoutTimeEnds() {
        try (TestDormouse test = TestDormouse.open(
                HASTY,
                builder -> builder.workflow("loop", Integer.class, String.class, (ctx, round) -> {
                    ctx.continueAsNew(round + 1);
                    return "";
                }))) {
            WorkflowHandle<String> handle = test.dormouse().start("loop", "l", String.class, 0);
            assertThat(catchThrowable(handle::result)).hasMessageContaining("DM500");
        }
    }

    @Test
    void activitiesCannotRestartOrCloseTheirOwnWorld() {
        AtomicReference<TestDormouse> self = new AtomicReference<>();
        AtomicReference<Throwable> restart = new AtomicReference<>();
        AtomicReference<Throwable> close = new AtomicReference<>();
        try (TestDormouse test = TestDormouse.open(builder -> builder.workflow(
                "rebel",
                String.class,
                String.class,
                (ctx, name) -> ctx.step("rebel", String.class, () -> {
                    restart.set(catchThrowable(() -> self.get().restart()));
                    close.set(catchThrowable(() -> self.get().close()));
                    return name;
                })))) {
            self.set(test);
            assertThat(test.dormouse().start("rebel", "r", String.class, "x").result())
                    .isEqualTo("x");
            assertClear(restart.get(), ErrorCode.NOT_A_TEST_THREAD);
            assertClear(close.get(), ErrorCode.NOT_A_TEST_THREAD);
        }
    }

    @Test
    void failureOfAFakeIsTheStepsFailure() {
        try (TestDormouse test = TestDormouse.open(builder -> builder.workflow(
                "asserts",
                String.class,
                String.class,
                (ctx, name) -> ctx.step("assert", String.class, () -> {
                    throw new AssertionError("a fake that was called with " + name);
                })))) {
            WorkflowHandle<String> handle = test.dormouse().start("asserts", "a", String.class, "x");
            assertThat(catchThrowable(handle::result)).hasMessageContaining("a fake that was called with x");
        }
    }
}
