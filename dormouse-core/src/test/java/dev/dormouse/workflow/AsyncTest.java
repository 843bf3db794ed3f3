package dev.dormouse.workflow;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.CancellationScope;
import dev.dormouse.DebouncedTimer;
import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.TimerPolicy;
import dev.dormouse.UpdatableTimer;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Coroutines beside the workflow method. */
class AsyncTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void threeHundredCoroutinesWithStepsAndSleepsAllReturn() {
        for (Duration nap : List.of(SECOND, Duration.ofMinutes(1))) {
            simulate(sim -> {
                Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                    List<Promise<Integer>> all = new ArrayList<>();
                    for (int i = 0; i < 300; i++) {
                        int number = i;
                        all.add(ctx.async(() -> {
                            ctx.sleep(nap.plusMillis(number % 7));
                            return ctx.step("s" + number, Integer.class, () -> {
                                sim.log("s" + number);
                                return number;
                            });
                        }));
                    }
                    return String.valueOf(Promise.allOf(all).get().stream()
                            .mapToInt(Integer::intValue)
                            .sum());
                });
                assertThat(sim.result(Scenario.start(dormouse))).isEqualTo(String.valueOf(299 * 300 / 2));
                assertThat(sim.log()).doesNotHaveDuplicates().hasSize(300);
            });
        }
    }

    @Test
    void coroutinesNestTwentyDeep() {
        Scenario.returnsWhenKilled("20", Duration.ofSeconds(20), sim -> (ctx, input) -> String.valueOf(nest(ctx, 20)));
    }

    private static int nest(WorkflowContext ctx, int depth) {
        if (depth == 0) {
            return 0;
        }
        return ctx.async(() -> {
                    ctx.sleep(SECOND);
                    return nest(ctx, depth - 1) + 1;
                })
                .get();
    }

    @Test
    void coroutineGetsItsFirstTurnWhenTheCallerWaits() {
        Scenario.returns("caller coroutine", sim -> (ctx, input) -> {
            StringBuilder text = new StringBuilder();
            Promise<StringBuilder> promise = ctx.async(() -> text.append("coroutine"));
            text.append("caller ");
            promise.get();
            return text.toString();
        });
    }

    @Test
    void coroutineThatOutlivesTheWorkflowMethodIsStopped() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.async(() -> {
                    try {
                        ctx.sleep(SECOND.multipliedBy(3));
                    } finally {
                        sim.log("unwound");
                    }
                    ctx.step("late", () -> sim.log("late"));
                    return "";
                });
                ctx.sleep(SECOND);
                return "done";
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(sim.elapsed()).isLessThan(SECOND.multipliedBy(3));
            sim.advance(HOUR);
            assertThat(sim.count("late")).isZero();
            assertThat(sim.threads("run ")).isZero();
            assertThat(handle.describe().status()).isEqualTo(RunStatus.COMPLETED);
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void stepOfACoroutineThatOutlivesTheMethodIsHarmless() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.async(() -> ctx.step("slow", String.class, () -> {
                    sim.advance(Duration.ofMinutes(2));
                    sim.log("slow ended");
                    return "x";
                }));
                ctx.sleep(SECOND);
                return "done";
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(sim.elapsed()).isLessThan(SECOND.multipliedBy(20));
            sim.advance(HOUR);
            assertThat(Scenario.kinds(handle)).endsWith("RunCompleted");
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void failedCoroutineWhoseResultIsNotReadDoesNotHarmTheRun() {
        Scenario.returns("done", sim -> (ctx, input) -> {
            ctx.async(() -> {
                throw new IllegalStateException("nobody asks");
            });
            ctx.sleep(Duration.ofSeconds(20));
            return ctx.step("s", String.class, () -> "done");
        });
    }

    @Test
    void stepThatIsDoneIsNotDoneAgainAlthoughAnotherStepIsStillInFlightWhenTheNodeDies() {
        simulate(sim -> {
            WorkflowFunction<String, String> code = (ctx, input) -> {
                Promise<String> slow = ctx.async(() -> ctx.step("slow", String.class, () -> {
                    sim.advance(Duration.ofMinutes(30));
                    return "slow";
                }));
                ctx.step("mail", () -> sim.log("mail"));
                return slow.get();
            };
            Dormouse one = Scenario.open(sim, code);
            WorkflowHandle<String> handle = Scenario.start(one);
            sim.advance(Duration.ofMinutes(20));
            assertThat(Scenario.kinds(handle)).contains("StepCompleted");
            sim.kill(one);
            Dormouse two = Scenario.open(sim, code);
            assertThat(sim.result(two.find("w", String.class).orElseThrow())).isEqualTo("slow");
            assertThat(sim.count("mail")).isEqualTo(1);
        });
    }

    @Test
    void mixOfCoroutinesStepsTimersAndSignalsIsTheSameAfterAKillAtAnyPoint() {
        Scenario.returnsWhenKilled("[0, 1, 4, 9, 16] 5 false", Duration.ofSeconds(20), sim -> (ctx, input) -> {
            int[] count = {0};
            List<Promise<Integer>> all = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                int number = i;
                all.add(ctx.async(() -> {
                    ctx.sleep(SECOND.multipliedBy(5 - number));
                    int square = ctx.step("square", Integer.class, () -> {
                        sim.advance(Duration.ofMillis(700L * (number + 1)));
                        return number * number;
                    });
                    ctx.newTimer(Duration.ofMillis(number * 900L)).get();
                    count[0]++;
                    return square;
                }));
            }
            ctx.await(() -> count[0] > 1);
            boolean early = ctx.await(Duration.ofMillis(10), () -> count[0] == 5);
            return Promise.allOf(all).get() + " " + count[0] + " " + early;
        });
    }

    @Test
    void promiseOfAnotherRunIsRefused() {
        simulate(sim -> {
            AtomicReference<Promise<Void>> leaked = new AtomicReference<>();
            Dormouse dormouse = sim.open(node -> SimulatedDormouse.echo(node)
                    .workflow("a", String.class, String.class, (ctx, input) -> {
                        leaked.set(ctx.newTimer(HOUR));
                        ctx.sleep(Duration.ofSeconds(4));
                        return "a";
                    })
                    .workflow("b", String.class, String.class, (ctx, input) -> {
                        assertThat(catchThrowable(() -> leaked.get().get())).isInstanceOf(DormouseException.class);
                        return "b";
                    }));
            WorkflowHandle<String> a = dormouse.start("a", "a", String.class, "");
            sim.advance(SECOND);
            WorkflowHandle<String> b = dormouse.start("b", "b", String.class, "");
            assertThat(sim.result(b)).isEqualTo("b");
            assertThat(sim.result(a)).isEqualTo("a");
        });
    }

    @Test
    void promisesTimersAndScopesAreRefusedOutsideOfWorkflowCode() {
        simulate(sim -> {
            AtomicReference<Promise<Void>> leaked = new AtomicReference<>();
            AtomicReference<UpdatableTimer> timer = new AtomicReference<>();
            AtomicReference<DebouncedTimer<String>> debounced = new AtomicReference<>();
            AtomicReference<CancellationScope> scope = new AtomicReference<>();
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                leaked.set(ctx.newTimer(HOUR));
                timer.set(ctx.newUpdatableTimer("t", TimerPolicy.ANY));
                debounced.set(ctx.newDebouncedTimer(SECOND, HOUR));
                scope.set(ctx.newCancellationScope(() -> ctx.sleep(HOUR)));
                ctx.sleep(Duration.ofSeconds(4));
                return "done";
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(SECOND);
            assertThat(new Scenario.BadCalls()
                            .add("get", () -> leaked.get().get())
                            .add("get(Duration)", () -> leaked.get().get(SECOND))
                            .add("await", () -> leaked.get().await(SECOND))
                            .add("then", () -> leaked.get().then(x -> x))
                            .add("allOf", () -> Promise.allOf(leaked.get()))
                            .add("anyOf", () -> Promise.anyOf(leaked.get()))
                            .add(
                                    "sleepUntil",
                                    () -> timer.get().sleepUntil(sim.now().plus(HOUR)))
                            .add(
                                    "update",
                                    () -> timer.get().updateWakeUpTime(sim.now().plus(HOUR)))
                            .add("awaitLast", () -> debounced.get().awaitLast())
                            .add("run", () -> scope.get().run())
                            .add("cancel scope", () -> scope.get().cancel())
                            .unclear())
                    .isEmpty();
            assertThat(sim.result(handle)).isEqualTo("done");
        });
    }

    @Test
    void cancelOfAPromiseAndTouchOfATimerAreRefusedOutsideOfWorkflowCode() {
        simulate(sim -> {
            AtomicReference<Promise<Void>> leaked = new AtomicReference<>();
            AtomicReference<DebouncedTimer<String>> debounced = new AtomicReference<>();
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                leaked.set(ctx.newTimer(HOUR));
                debounced.set(ctx.newDebouncedTimer(SECOND, HOUR));
                ctx.sleep(Duration.ofSeconds(4));
                return "done";
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(SECOND);
            assertThat(new Scenario.BadCalls()
                            .add("cancel", () -> leaked.get().cancel())
                            .add("touch", () -> debounced.get().touch("x"))
                            .unclear())
                    .isEmpty();
            assertThat(sim.result(handle)).isEqualTo("done");
        });
    }

    @Test
    void workflowCallsAreRefusedInAStepOfACoroutine() {
        Scenario.returns(
                "ok",
                sim -> (ctx, input) -> ctx.async(() -> ctx.step("s", String.class, () -> {
                            assertClear(catchThrowable(() -> ctx.sleep(SECOND)), ErrorCode.OUTSIDE_WORKFLOW);
                            assertClear(catchThrowable(() -> Workflow.newTimer(SECOND)), ErrorCode.OUTSIDE_WORKFLOW);
                            assertClear(catchThrowable(() -> Workflow.async(() -> "x")), ErrorCode.OUTSIDE_WORKFLOW);
                            return "ok";
                        }))
                        .get());
    }

    @Test
    void nullsAreRefusedClearlyAndTheRunContinues() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                Promise<Void> timer = ctx.newTimer(SECOND);
                String unclear = new Scenario.BadCalls()
                        .add("newTimer(null)", () -> ctx.newTimer(null))
                        .add("newTimer(huge)", () -> ctx.newTimer(Duration.ofSeconds(Long.MAX_VALUE)))
                        .add("sleep(null)", () -> ctx.sleep(null))
                        .add("sleepUntil(null)", () -> ctx.sleepUntil(null))
                        .add("await(null)", () -> ctx.await(null))
                        .add("await(null, condition)", () -> ctx.await((Duration) null, () -> true))
                        .add("await(SECOND, null)", () -> ctx.await(SECOND, null))
                        .add("async(null)", () -> ctx.async((Runnable) null))
                        .add("then(null)", () -> timer.then(null))
                        .add("get(null)", () -> timer.get(null))
                        .add("promise.await(null)", () -> timer.await(null))
                        .add("allOf(null element)", () -> Promise.allOf(timer, null))
                        .add("allOf(null list)", () -> Promise.allOf((List<Promise<Void>>) null))
                        .add("anyOf(null element)", () -> Promise.anyOf(timer, null))
                        .add("newCancellationScope(null)", () -> ctx.newCancellationScope(null))
                        .add("newDetachedCancellationScope(null)", () -> ctx.newDetachedCancellationScope(null))
                        .unclear();
                ctx.step("alive", () -> sim.log("alive"));
                timer.get();
                return unclear;
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEmpty();
            assertThat(sim.count("alive")).isEqualTo(1);
        });
    }
}
