package dev.dormouse.cancel;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.CancellationScope;
import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Steps in flight when their run or scope is cancelled, with promises and timers beside them. */
class CancelledStepTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void runWithADeafStepBesideItsThreadEndsWhenItIsCancelledAndNotWhenTheStepIsDone() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.async(() -> {
                    ctx.sleep(HOUR);
                    return "";
                });
                ctx.step("deaf", () -> sim.advance(Duration.ofMinutes(20)));
                return "";
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(Duration.ofMinutes(1));
            handle.cancel("not wanted");
            assertClear(sim.failure(handle), ErrorCode.RUN_CANCELLED);
            assertThat(sim.elapsed()).isLessThan(Duration.ofMinutes(2));
            sim.advance(HOUR);
            assertThat(handle.describe().status()).isEqualTo(RunStatus.CANCELLED);
            sim.assertStillWorks(dormouse);
        });
    }

    private static WorkflowFunction<String, String> interruptible(SimulatedDormouse sim) {
        return (ctx, input) -> {
            CancellationScope scope = ctx.newCancellationScope(() -> ctx.step("slow", () -> {
                sim.log("slow");
                for (int i = 0; i < 600; i++) {
                    sim.advance(Duration.ofSeconds(1));
                    if (Thread.currentThread().isInterrupted()) {
                        throw new InterruptedException();
                    }
                }
            }));
            Promise<String> runs = ctx.async(() -> {
                try {
                    scope.run();
                    return "ran";
                } catch (CancelledException cancelled) {
                    return "cancelled";
                }
            });
            ctx.sleep(Duration.ofSeconds(10));
            scope.cancel();
            String text = runs.get();
            ctx.sleep(HOUR);
            return text;
        };
    }

    @Test
    void stepThatThrowsWhenItIsInterruptedLeavesTheRunReplayable() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, interruptible(sim));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(Duration.ofMinutes(30));
            assertThat(handle.describe().status()).isEqualTo(RunStatus.WAITING);
            assertThat(sim.result(handle)).isEqualTo("cancelled");
            assertThat(sim.count("slow")).isEqualTo(1);
        });
    }

    @Test
    void cancelledStepIsNotDoneAgainByTheNextNode() {
        for (long seconds : List.of(11, 12, 20, 60, 1_800)) {
            simulate(sim -> {
                Dormouse one = Scenario.open(sim, interruptible(sim));
                Scenario.start(one);
                sim.advance(Duration.ofSeconds(seconds));
                sim.kill(one);
                Dormouse two = Scenario.open(sim, interruptible(sim));
                assertThat(sim.result(two.find("w", String.class).orElseThrow()))
                        .isEqualTo("cancelled");
                assertThat(sim.count("slow")).as("killed after " + seconds).isEqualTo(1);
            });
        }
    }

    @Test
    void runHasTheSameResultWhenItsNodeDiesBeforeTheCancelOfAStep() {
        for (long seconds : List.of(0, 1, 5, 9)) {
            simulate(sim -> {
                Dormouse one = Scenario.open(sim, interruptible(sim));
                Scenario.start(one);
                sim.advance(Duration.ofSeconds(seconds));
                sim.kill(one);
                Dormouse two = Scenario.open(sim, interruptible(sim));
                assertThat(sim.result(two.find("w", String.class).orElseThrow()))
                        .isEqualTo("cancelled");
            });
        }
    }

    @Test
    void cancelledCoroutineWithAStepEndsItsPromise() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                Promise<String> slow = ctx.async(() -> ctx.step("slow", String.class, () -> {
                    sim.advance(Duration.ofMinutes(1));
                    return "x";
                }));
                ctx.sleep(Duration.ofSeconds(2));
                slow.cancel();
                try {
                    return slow.get();
                } catch (CancelledException cancelled) {
                    return "cancelled";
                }
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("cancelled");
            sim.advance(HOUR);
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void cancelledCoroutineWithAStepLeavesTheRunReplayable() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                Promise<String> slow = ctx.async(() -> ctx.step("slow", String.class, () -> {
                    sim.advance(Duration.ofMinutes(1));
                    return "x";
                }));
                if (!slow.await(Duration.ofSeconds(10))) {
                    slow.cancel();
                }
                ctx.sleep(HOUR);
                return "done";
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("done");
        });
    }

    @WorkflowInterface
    interface Busy {
        @WorkflowMethod
        String run();

        @UpdateMethod
        int add(int number);

        @SignalMethod
        void note(int number);

        @QueryMethod
        int sum();
    }

    static final class BusyWorkflow implements Busy {
        private final SimulatedDormouse sim;
        private int sum;

        BusyWorkflow(SimulatedDormouse sim) {
            this.sim = sim;
        }

        @Override
        public String run() {
            Workflow.step("slow", () -> sim.advance(Duration.ofMinutes(10)));
            return "sum " + sum;
        }

        @Override
        public int add(int number) {
            sum += number;
            return sum;
        }

        @Override
        public void note(int number) {
            sum += number;
        }

        @Override
        public int sum() {
            return sum;
        }
    }

    @Test
    void updateIsAnsweredWhileAStepIsInFlight() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(Busy.class, () -> new BusyWorkflow(sim)));
            Busy busy = dormouse.workflow(Busy.class, "b");
            WorkflowHandle<String> handle = dormouse.start(busy::run);
            sim.advance(Duration.ofSeconds(10));
            busy.note(1);
            assertThat(busy.add(5)).isEqualTo(6);
            assertThat(sim.elapsed()).isLessThan(Duration.ofMinutes(1));
            assertThat(sim.result(handle)).isEqualTo("sum 6");
        });
    }

    @Test
    void updateThatCameWhileAStepIsInFlightCountsOnceAlthoughTheNodeDies() {
        simulate(sim -> {
            Dormouse one = sim.open(node -> node.workflow(Busy.class, () -> new BusyWorkflow(sim)));
            Dormouse client = sim.open(node -> node.remoteWorkflow(Busy.class));
            one.start(one.workflow(Busy.class, "b")::run);
            sim.advance(Duration.ofSeconds(10));
            Integer[] answer = new Integer[1];
            sim.inBackground(() -> answer[0] =
                    client.find("b", String.class).orElseThrow().updateOnce("u", HOUR, "add", Integer.class, 5));
            sim.advance(Duration.ofSeconds(10));
            sim.kill(one);
            Dormouse two = sim.open(node -> node.workflow(Busy.class, () -> new BusyWorkflow(sim)));
            assertThat(sim.result(two.find("b", String.class).orElseThrow())).isEqualTo("sum 5");
            sim.await("the answer", () -> answer[0] != null);
            assertThat(answer[0]).isEqualTo(5);
        });
    }

    @Test
    void nestedPromisesWork() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                Promise<?> nested = ctx.newTimer(Duration.ofSeconds(10));
                for (int i = 0; i < 300; i++) {
                    nested = i % 2 == 0 ? Promise.anyOf(nested) : Promise.allOf(nested);
                }
                nested.get();
                return "done";
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("done");
        });
    }
}
