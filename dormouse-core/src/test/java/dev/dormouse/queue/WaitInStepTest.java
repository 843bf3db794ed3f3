package dev.dormouse.queue;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Activity;
import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.StartOptions;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Steps that wait for other runs and release their slot meanwhile. */
class WaitInStepTest {
    private static final int PARENTS = 12;
    private static final int ROOM = 4;

    @WorkflowInterface
    interface Echo {
        @WorkflowMethod
        String echo(String text);
    }

    @WorkflowInterface
    interface Counter {
        @WorkflowMethod
        void count();

        @UpdateMethod
        int add(int number);
    }

    static final class CounterWorkflow implements Counter {
        private int sum;

        @Override
        public void count() {
            Workflow.await(() -> sum >= 100);
        }

        @Override
        public int add(int number) {
            sum += number;
            return Workflow.step("sum", Integer.class, () -> sum);
        }
    }

    /** Opens a node with few slots whose workflow "parent" executes the given call in a step. */
    private static Dormouse open(SimulatedDormouse sim, Function<Dormouse, Function<String, String>> inStep) {
        AtomicReference<Dormouse> self = new AtomicReference<>();
        self.set(sim.open(node -> SimulatedDormouse.echo(node)
                .activityOptions(ActivityOptions.DEFAULT)
                .workflow(Echo.class, () -> text -> {
                    Workflow.sleep(Duration.ofSeconds(1));
                    return Workflow.step("echo", String.class, () -> text);
                })
                .workflow(Counter.class, CounterWorkflow::new)
                .workflow("parent", String.class, String.class, (ctx, id) -> {
                    Function<String, String> body = inStep.apply(self.get());
                    return ctx.step("wait", String.class, () -> body.apply(id));
                })
                .maxExecuting(ROOM)
                .maxParked(ROOM)));
        return self.get();
    }

    private static void assertAllEnd(SimulatedDormouse sim, Dormouse dormouse) {
        List<WorkflowHandle<String>> parents = new ArrayList<>();
        for (int i = 0; i < PARENTS; i++) {
            parents.add(dormouse.start("parent", "p" + i, String.class, "c" + i));
        }
        for (int i = 0; i < PARENTS; i++) {
            assertThat(sim.result(parents.get(i))).isEqualTo("c" + i);
        }
        assertThat(sim.elapsed()).isLessThan(Duration.ofMinutes(10));
        sim.assertStillWorks(dormouse);
    }

    @Test
    void resultOfARunThatNeedsTheirRoom() {
        simulate(sim -> assertAllEnd(
                sim,
                open(
                        sim,
                        dormouse -> id ->
                                dormouse.start("Echo", id, String.class, id).result())));
    }

    @Test
    void futureOfARunThatNeedsTheirRoom() {
        simulate(sim -> assertAllEnd(
                sim,
                open(
                        sim,
                        dormouse -> id -> dormouse.start("Echo", id, String.class, id)
                                .resultAsync()
                                .join())));
    }

    @Test
    void callOfAStubThatNeedsTheirRoom() {
        simulate(sim -> assertAllEnd(
                sim,
                open(sim, dormouse -> id -> dormouse.workflow(Echo.class, id).echo(id))));
    }

    @Test
    void updateOfARunThatNeedsTheirRoom() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, self -> id -> {
                Counter counter = self.workflow(Counter.class, "counter-" + id);
                self.start(counter::count);
                return "c" + counter.add(Integer.parseInt(id.substring(1)));
            });
            assertAllEnd(sim, dormouse);
        });
    }

    @Test
    void handlersOfTimersToo() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, self -> id -> id);
            List<String> results = new ArrayList<>();
            dormouse.timers()
                    .handle(
                            "call",
                            String.class,
                            id -> results.add(dormouse.workflow(Echo.class, id).echo(id)));
            for (int i = 0; i < PARENTS; i++) {
                dormouse.timers().after(Duration.ofSeconds(10), "call", "c" + i);
            }
            sim.await("all", () -> results.size() == PARENTS);
            sim.assertStillWorks(dormouse);
        });
    }

    /** All children sleep for long, so that more steps wait than the limit allows. */
    @Test
    void thereIsALimitBeyondWhichStepsAreTriedAgain() {
        simulate(sim -> {
            AtomicReference<Dormouse> self = new AtomicReference<>();
            List<Throwable> refused = new ArrayList<>();
            self.set(sim.open(node -> SimulatedDormouse.echo(node)
                    .activityOptions(ActivityOptions.DEFAULT)
                    .workflow("child", String.class, String.class, (ctx, text) -> {
                        ctx.sleep(Duration.ofHours(1));
                        return text;
                    })
                    .workflow(
                            "parent",
                            String.class,
                            String.class,
                            (ctx, id) -> ctx.step("wait", String.class, () -> {
                                WorkflowHandle<String> child = self.get().start("child", id, String.class, id);
                                try {
                                    return child.result();
                                } catch (RuntimeException problem) {
                                    refused.add(problem);
                                    throw problem;
                                }
                            }))
                    .maxExecuting(ROOM)
                    .maxParked(ROOM)));
            Dormouse dormouse = self.get();
            assertAllEnd(sim, dormouse, Duration.ofHours(2));
            assertThat(refused).isNotEmpty();
            refused.forEach(problem -> assertClear(problem, ErrorCode.TOO_MANY_WAITS));
            assertThat(refused.get(0)).hasMessageContaining("Workflow.child");
        });
    }

    private static void assertAllEnd(SimulatedDormouse sim, Dormouse dormouse, Duration within) {
        List<WorkflowHandle<String>> parents = new ArrayList<>();
        for (int i = 0; i < PARENTS; i++) {
            parents.add(dormouse.start("parent", "p" + i, String.class, "c" + i));
        }
        sim.await(
                "all",
                () -> parents.stream().allMatch(parent -> parent.describe().status() == RunStatus.COMPLETED));
        assertThat(sim.elapsed()).isLessThan(within);
        sim.assertStillWorks(dormouse);
    }

    @Test
    void stepOfANodeThatClosesLosesNoPlaceAndIsTriedElsewhere() {
        simulate(sim -> {
            Function<Dormouse, Function<String, String>> waits = dormouse ->
                    id -> dormouse.start("Echo", id, String.class, id).result();
            Dormouse one = open(sim, waits);
            for (int i = 0; i < PARENTS; i++) {
                one.start("parent", "p" + i, String.class, "c" + i);
            }
            one.close();
            Dormouse two = open(sim, waits);
            for (int i = 0; i < PARENTS; i++) {
                assertThat(sim.result(two.find("p" + i, String.class).orElseThrow()))
                        .isEqualTo("c" + i);
            }
        });
    }

    @Test
    void parentsThatAreTerminatedWhileTheyWaitLoseNoPlace() {
        simulate(sim -> {
            Dormouse dormouse = open(
                    sim,
                    self -> id -> self.start(
                                    "Echo",
                                    id,
                                    StartOptions.DEFAULT.withStartDelay(
                                            id.startsWith("late") ? Duration.ofHours(1) : Duration.ZERO),
                                    String.class,
                                    id)
                            .result());
            List<WorkflowHandle<String>> terminated = new ArrayList<>();
            for (int i = 0; i < ROOM; i++) {
                terminated.add(dormouse.start("parent", "terminated-" + i, String.class, "late-" + i));
            }
            sim.advance(Duration.ofSeconds(10));
            terminated.forEach(parent -> assertThat(parent.terminate("enough")).isTrue());
            assertAllEnd(sim, dormouse, Duration.ofHours(1)); // although no more of them can wait now
            sim.advance(Duration.ofHours(2));
            long began = sim.elapsed().toNanos();
            dormouse.close();
            assertThat(sim.elapsed().minusNanos(began)).isLessThan(Duration.ofSeconds(5));
        });
    }

    @Test
    void stepCannotWaitForItsOwnRun() {
        simulate(sim -> {
            List<Throwable> refused = new ArrayList<>();
            Dormouse dormouse = open(sim, self -> id -> {
                String own = Activity.info().workflowId();
                WorkflowHandle<String> handle = self.find(own, String.class).orElseThrow();
                refused.add(catchThrowable(handle::result));
                refused.add(catchThrowable(() -> handle.result(Duration.ofSeconds(1))));
                return id;
            });
            assertThat(sim.result(dormouse.start("parent", "p", String.class, "x")))
                    .isEqualTo("x");
            assertThat(refused).hasSize(2);
            refused.forEach(problem -> assertClear(problem, ErrorCode.NOT_ALLOWED_HERE));
        });
    }
}
