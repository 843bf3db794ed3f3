package dev.dormouse.client;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.WorkflowException;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Workflow handles. */
class HandleTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private static Dormouse open(SimulatedDormouse sim) {
        return sim.open(node -> SimulatedDormouse.echo(node)
                .workflow("sleepy", String.class, String.class, (ctx, input) -> {
                    ctx.step("before", () -> sim.log("before"));
                    ctx.sleep(HOUR);
                    ctx.step("after", () -> sim.log("after"));
                    return "done";
                })
                .workflow("nap", String.class, String.class, (ctx, input) -> {
                    ctx.sleep(Duration.ofSeconds(4));
                    ctx.step("after", () -> sim.log("after"));
                    return "done";
                })
                .workflow("busy", String.class, String.class, (ctx, input) -> {
                    ctx.step("busy", () -> sim.advance(HOUR));
                    ctx.step("after", () -> sim.log("after"));
                    return "done";
                }));
    }

    private static void assertTerminated(SimulatedDormouse sim, WorkflowHandle<?> handle) {
        assertThat(handle.terminate("enough \uD834\uDD1E")).isTrue();
        assertThat(handle.terminate("again")).isFalse();
        WorkflowException ended = sim.failure(handle);
        assertClear(ended, ErrorCode.RUN_TERMINATED);
        assertThat(ended.getMessage()).contains("enough \uD834\uDD1E");
        assertThat(handle.describe().status()).isEqualTo(RunStatus.TERMINATED);
        assertThat(handle.describe().closedAt()).isPresent();
        assertThat(handle.describe().wakeAt()).isEmpty();
        sim.advance(HOUR.multipliedBy(2));
        assertThat(sim.log()).doesNotContain("after");
        assertThat(handle.describe().status()).isEqualTo(RunStatus.TERMINATED);
    }

    @Test
    void sleepingRunCanBeTerminated() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> handle = dormouse.start("sleepy", "s", String.class, "");
            sim.awaitStatus(handle, RunStatus.WAITING);
            assertTerminated(sim, handle);
        });
    }

    @Test
    void parkedRunCanBeTerminated() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> handle = dormouse.start("nap", "s", String.class, "");
            sim.awaitStatus(handle, RunStatus.PARKED);
            assertTerminated(sim, handle);
        });
    }

    @Test
    void executingRunCanBeTerminatedFromItsOwnNode() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> handle = dormouse.start("busy", "s", String.class, "");
            sim.advance(SECOND);
            assertTerminated(sim, handle);
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void executingRunCanBeTerminatedFromAnotherNode() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Dormouse other = open(sim);
            var waiting = dormouse.start("busy", "s", String.class, "").resultAsync();
            sim.advance(SECOND);
            assertTerminated(sim, other.find("s", String.class).orElseThrow());
            assertThat(waiting).isCompletedExceptionally();
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void delayedRunCanBeTerminated() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            StartOptions later = StartOptions.DEFAULT.withStartDelay(HOUR);
            WorkflowHandle<String> handle = dormouse.start("sleepy", "s", later, String.class, "");
            assertTerminated(sim, handle);
            assertThat(sim.log()).isEmpty();
        });
    }

    @Test
    void closedRunCannotBeTerminated() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> handle = dormouse.start("sleepy", "s", String.class, "");
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(handle.terminate("late")).isFalse();
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(handle.describe().status()).isEqualTo(RunStatus.COMPLETED);
        });
    }

    @Test
    void runThatIsTerminatedManyTimesAtOnceIsTerminatedOnce() {
        simulate(sim -> {
            Dormouse one = open(sim);
            Dormouse two = open(sim);
            one.start("sleepy", "s", String.class, "");
            int[] count = {0, 0};
            for (int i = 0; i < 20; i++) {
                WorkflowHandle<String> handle =
                        (i % 2 == 0 ? one : two).find("s", String.class).orElseThrow();
                sim.inBackground(() -> {
                    boolean terminated = handle.terminate("enough");
                    count[0] += terminated ? 1 : 0;
                    count[1]++;
                });
            }
            sim.await("all to be back", () -> count[1] == 20);
            assertThat(count[0]).isEqualTo(1);
        });
    }

    @Test
    void waitingForAResultTimesOutWithoutHarmingTheRun() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> handle = dormouse.start("sleepy", "s", String.class, "");
            sim.advance(SECOND);
            for (Duration atMost : new Duration[] {
                Duration.ZERO, Duration.ofMillis(-1), Duration.ofSeconds(Long.MIN_VALUE), Duration.ofMillis(1)
            }) {
                assertClear(catchThrowable(() -> handle.result(atMost)), ErrorCode.RESULT_TIMEOUT);
            }
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(handle.result()).isEqualTo("done");
            assertThat(handle.result(Duration.ZERO)).isEqualTo("done");
            assertThat(handle.result(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo("done");
        });
    }

    @Test
    void cancelledFutureOfAResultDoesNotHarmTheRun() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> handle = dormouse.start("sleepy", "s", String.class, "");
            handle.resultAsync().cancel(true);
            handle.resultAsync().complete("mine");
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(handle.describe().status()).isEqualTo(RunStatus.COMPLETED);
        });
    }

    @Test
    void resultOfARunThatIsExecutedElsewhereArrives() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Dormouse other = open(sim);
            WorkflowHandle<String> handle = dormouse.start("busy", "s", String.class, "");
            var there = other.find("s", String.class).orElseThrow().resultAsync();
            assertThat(sim.result(handle)).isEqualTo("done");
            sim.advance(Duration.ofSeconds(11));
            assertThat(there).isCompletedWithValue("done");
        });
    }

    @Test
    void descriptionFollowsTheRun() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> handle = dormouse.start("sleepy", "s", String.class, "");
            sim.awaitStatus(handle, RunStatus.WAITING);
            RunDescription waiting = handle.describe();
            assertThat(waiting.node()).isEmpty();
            assertThat(waiting.trouble()).isEmpty();
            assertThat(waiting.closedAt()).isEmpty();
            assertThat(waiting.historyLength()).isEqualTo(3);
            sim.result(handle);
            RunDescription closed = handle.describe();
            assertThat(closed.historyLength()).isEqualTo(6);
            assertThat(closed.startedAt()).isEqualTo(waiting.startedAt());
            assertThat(closed.closedAt().orElseThrow())
                    .isAfter(closed.startedAt().plus(HOUR));
            assertThat(closed.node()).isEmpty();
            assertThat(closed.wakeAt()).isEmpty();
        });
    }

    @Test
    void runThatWasPurgedIsNotFound() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> SimulatedDormouse.echo(node).retention(HOUR));
            WorkflowHandle<String> handle = dormouse.start("echo", "e", String.class, "x");
            sim.result(handle);
            sim.await("the purge", () -> dormouse.find("e", String.class).isEmpty());
            assertThat(sim.elapsed()).isGreaterThan(HOUR);
            assertClear(catchThrowable(handle::describe), ErrorCode.RUN_NOT_FOUND);
            assertClear(catchThrowable(handle::history), ErrorCode.RUN_NOT_FOUND);
            assertClear(catchThrowable(() -> handle.terminate("")), ErrorCode.RUN_NOT_FOUND);
            assertClear(catchThrowable(() -> sim.result(handle)), ErrorCode.RUN_NOT_FOUND);
            sim.assertStillWorks(dormouse);
        });
    }
}
