package dev.dormouse.message;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.TypeRef;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Box;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.testing.sim.FaultProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Updates that are awaited without a thread. */
class UpdateAsyncTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Answers "slow" after half a minute, and "never" not at all. */
    private static Supplier<Box> code() {
        return () -> new Box.Open() {
            @Override
            public String change(String text) {
                if (text.startsWith("slow")) {
                    Workflow.sleep(HALF_A_MINUTE);
                } else if (text.equals("never")) {
                    Workflow.await(() -> ended);
                } else if (text.equals("fail")) {
                    throw new IllegalStateException("as asked");
                }
                return super.change(text);
            }
        };
    }

    private static Dormouse open(SimulatedDormouse sim) {
        return sim.open(node -> SimulatedDormouse.echo(node).workflow(Box.class, code()));
    }

    private static Dormouse client(SimulatedDormouse sim) {
        return sim.open(node -> node.remoteWorkflow(Box.class));
    }

    private static WorkflowHandle<String> start(Dormouse dormouse) {
        Box box = dormouse.workflow(Box.class, "b");
        return dormouse.start(() -> box.run(""));
    }

    private static <T> T answer(SimulatedDormouse sim, CompletableFuture<T> future) {
        sim.await("an answer", future::isDone);
        return future.join();
    }

    private static Throwable problem(SimulatedDormouse sim, CompletableFuture<?> future) {
        sim.await("an answer", future::isDone);
        Throwable problem = catchThrowable(future::join);
        return problem instanceof CompletionException wrapped ? wrapped.getCause() : problem;
    }

    @Test
    void updatesAreAnsweredFromEveryNode() {
        simulate(sim -> {
            Dormouse one = open(sim);
            Dormouse two = open(sim);
            Dormouse client = client(sim);
            WorkflowHandle<String> handle = start(one);
            List<String> expected = new ArrayList<>();
            for (Duration pause : List.of(Duration.ZERO, MINUTE, Duration.ofHours(1))) {
                sim.advance(pause);
                for (Dormouse asked : List.of(one, two, client)) {
                    WorkflowHandle<Object> there = asked.handle("b");
                    assertThat(answer(sim, there.updateAsync("change", String.class, "x")))
                            .isEqualTo("changed to x");
                    assertThat(answer(sim, there.updateAsync("change", new TypeRef<String>() {}, "slow")))
                            .isEqualTo("changed to slow");
                    assertThat(answer(sim, there.updateAsync("set", Void.class, "y")))
                            .isNull();
                    expected.addAll(List.of("x", "slow", "y"));
                }
            }
            handle.signal("end");
            assertThat(sim.result(handle)).isEqualTo(String.join(",", expected));
        });
    }

    @Test
    void callersThatWaitHoldNoThreads() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> handle = start(dormouse);
            List<CompletableFuture<String>> futures = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                futures.add(handle.updateAsync("change", String.class, "slow" + i));
            }
            long most = 0;
            for (int i = 0; i < 20; i++) {
                sim.advance(SECOND);
                most = Math.max(most, sim.threads("update") + sim.threads("callback"));
            }
            assertThat(most).isLessThan(10);
            assertThat(sim.threads("calls")).isEqualTo(1);
            for (int i = 0; i < 50; i++) {
                assertThat(answer(sim, futures.get(i))).isEqualTo("changed to slow" + i);
            }
        });
    }

    @Test
    void answerOfARunInMemoryArrivesWithoutALookUp() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(Box.class, Box.Parked::new));
            WorkflowHandle<String> handle = start(dormouse);
            sim.advance(SECOND);
            int[] lookUps = {0};
            sim.store().onCurrent = () -> lookUps[0]++;
            assertThat(answer(sim, handle.updateAsync("change", String.class, "x")))
                    .isEqualTo("changed to x");
            assertThat(lookUps[0]).isZero();
        });
    }

    @Test
    void problemsArriveInTheFuture() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> handle = start(dormouse);
            assertClear(problem(sim, handle.updateAsync("set", Void.class, "bad")), ErrorCode.UPDATE_REJECTED);
            assertClear(problem(sim, handle.updateAsync("change", String.class, "fail")), ErrorCode.UPDATE_FAILED);
            assertClear(problem(sim, handle.updateAsync("change", Integer.class, "x")), ErrorCode.PAYLOAD_DOES_NOT_FIT);
            Duration before = sim.elapsed();
            assertClear(problem(sim, handle.updateAsync("change", String.class, "never")), ErrorCode.NOT_ANSWERED);
            assertThat(sim.elapsed().minus(before))
                    .isBetween(MINUTE.minus(SECOND), MINUTE.plus(SECOND.multipliedBy(5)));
            assertClear(
                    problem(sim, dormouse.handle("nothing").updateAsync("change", String.class, "x")),
                    ErrorCode.RUN_NOT_FOUND);
            CompletableFuture<String> last = handle.updateAsync("change", String.class, "slow");
            sim.advance(SECOND);
            handle.terminate("enough");
            assertClear(problem(sim, last), ErrorCode.RUN_CLOSED);
            assertClear(problem(sim, handle.updateAsync("change", String.class, "x")), ErrorCode.RUN_CLOSED);
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void invalidCallsAreRefusedAtOnce() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> handle = start(dormouse);
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> handle.updateAsync(null, String.class),
                    () -> handle.updateAsync("", String.class),
                    () -> handle.updateAsync("change", (Class<?>) null, "x"),
                    () -> handle.updateAsync("change", (TypeRef<?>) null, "x"))) {
                assertClear(catchThrowable(call), ErrorCode.BAD_ARGUMENT);
            }
            assertClear(catchThrowable(() -> handle.updateAsync("nonsense", String.class)), ErrorCode.UNKNOWN_UPDATE);
            assertClear(
                    catchThrowable(() -> handle.updateAsync("change", String.class, "x", "y")),
                    ErrorCode.PAYLOAD_DOES_NOT_FIT);
            Dormouse reader = sim.open(node -> node.anyRemoteWorkflow().readOnly());
            assertClear(
                    catchThrowable(() -> reader.handle("b").updateAsync("change", String.class, "x")),
                    ErrorCode.READ_ONLY);
            dormouse.close();
            assertClear(
                    catchThrowable(() -> handle.updateAsync("change", String.class, "x")), ErrorCode.DORMOUSE_CLOSED);
        });
    }

    @Test
    void cancelledFutureEndsOnlyTheWait() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> handle = start(dormouse);
            assertThat(handle.updateAsync("change", String.class, "a").cancel(true))
                    .isTrue();
            CompletableFuture<String> slow = handle.updateAsync("change", String.class, "slow");
            sim.advance(SECOND);
            slow.cancel(false);
            sim.advance(MINUTE);
            assertThat(slow).isCancelled();
            handle.signal("end");
            assertThat(sim.result(handle)).isEqualTo("a,slow");
        });
    }

    @Test
    void futuresAreCancelledIfTheDormouseCloses() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> handle = start(dormouse);
            CompletableFuture<String> early = handle.updateAsync("change", String.class, "slow");
            sim.advance(SECOND);
            CompletableFuture<String> late = handle.updateAsync("change", String.class, "slow");
            dormouse.close();
            sim.await("the end", () -> early.isDone() && late.isDone());
            assertThat(early).isCancelled();
            assertThat(late).isCancelled();
        });
    }

    @Test
    void callbackThatBlocksDelaysNothing() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> handle = start(dormouse);
            for (String text : List.of("x", "fail")) {
                var unused = handle.updateAsync("change", String.class, text).whenComplete((answer, problem) -> {
                    sim.log("begins");
                    sim.advance(Duration.ofHours(1));
                    sim.log("ends");
                });
            }
            var unusedToo = dormouse.handle("nothing")
                    .updateAsync("change", String.class, "x")
                    .whenComplete((answer, problem) -> {
                        sim.log("begins");
                        sim.advance(Duration.ofHours(1));
                        sim.log("ends");
                    });
            sim.await("all callbacks", () -> sim.count("begins") == 3);
            assertThat(handle.update("change", String.class, "y")).isEqualTo("changed to y");
            sim.assertStillWorks(dormouse);
            assertThat(sim.log()).doesNotContain("ends");
        });
    }

    @Test
    void storeThatDoesNotAnswerFailsTheFutureInTime() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> handle = start(dormouse);
            sim.advance(SECOND);
            sim.outage(MINUTE.multipliedBy(3));
            CompletableFuture<String> future = handle.updateAsync("change", String.class, "x");
            assertClear(problem(sim, future), ErrorCode.STORE_UNAVAILABLE);
            assertThat(sim.elapsed()).isLessThan(MINUTE.multipliedBy(2));
        });
    }

    @Test
    void updatesAreAnsweredOverBadConnections() {
        for (FaultProfile bad : List.of(
                FaultProfile.CALM.withUnknown(0.1),
                FaultProfile.CALM.withLocked(0.2),
                FaultProfile.CALM.withBadNotices(0.5, 0.2, SECOND))) {
            simulate(sim -> {
                Dormouse calm = open(sim);
                WorkflowHandle<String> handle = start(calm);
                Dormouse asking = sim.open(node -> node.remoteWorkflow(Box.class));
                sim.behave(asking, bad);
                List<CompletableFuture<String>> futures = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    futures.add(asking.handle("b").updateAsync("change", String.class, "" + i));
                }
                for (CompletableFuture<String> future : futures) {
                    sim.await("an answer", future::isDone);
                }
                handle.signal("end");
                assertThat(sim.result(handle).split(",")).hasSize(20).doesNotHaveDuplicates();
            });
        }
    }

    @Test
    void stepThatWaitsLendsItsPlace() {
        simulate(sim -> {
            AtomicReference<Dormouse> self = new AtomicReference<>();
            self.set(sim.open(node -> SimulatedDormouse.echo(node)
                    .workflow(Box.class, code())
                    .workflow(
                            "asks",
                            String.class,
                            String.class,
                            (ctx, input) -> ctx.step("ask", String.class, () -> {
                                WorkflowHandle<Object> box = self.get().handle("b");
                                return box.updateAsync("change", String.class, "x")
                                        .join();
                            }))
                    .maxExecuting(1)
                    .maxParked(1)));
            WorkflowHandle<String> handle = start(self.get());
            sim.awaitStatus(handle, RunStatus.WAITING);
            assertThat(sim.result(self.get().start("asks", "a", String.class, "")))
                    .isEqualTo("changed to x");
        });
    }
}
