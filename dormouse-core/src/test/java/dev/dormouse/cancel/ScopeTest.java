package dev.dormouse.cancel;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.CancellationScope;
import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.DormouseException;
import dev.dormouse.support.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Cancellation scopes. */
class ScopeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private static String outcome(Callable<?> call) {
        try {
            return String.valueOf(call.call());
        } catch (CancelledException cancelled) {
            return "cancelled:" + cancelled.reason();
        } catch (DormouseException problem) {
            return problem.code().toString();
        } catch (Exception problem) {
            return problem.getClass().getSimpleName() + ":" + problem.getMessage();
        }
    }

    private static String outcome(Runnable call) {
        return outcome(() -> {
            call.run();
            return "went";
        });
    }

    /** Cancels a scope around the given waits after a while. */
    private static String cancelled(WorkflowContext ctx, Duration after, Runnable body) {
        String[] text = {""};
        CancellationScope scope = ctx.newCancellationScope(() -> text[0] = outcome(body));
        Promise<String> runs = ctx.async(() -> outcome(scope::run));
        ctx.sleep(after);
        scope.cancel("enough");
        String ended = runs.get();
        return text[0] + " " + ended + " " + scope.isCancelled();
    }

    private static Map<String, Consumer<WorkflowContext>> waits() {
        Map<String, Consumer<WorkflowContext>> waits = new LinkedHashMap<>();
        waits.put("sleep", ctx -> ctx.sleep(HOUR));
        waits.put("short sleep", ctx -> ctx.sleep(Duration.ofSeconds(90)));
        waits.put("sleepUntil", ctx -> ctx.sleepUntil(ctx.now().plus(HOUR)));
        waits.put("await", ctx -> ctx.await(() -> false));
        waits.put("await with timeout", ctx -> ctx.await(HOUR, () -> false));
        waits.put("waitForSignal", ctx -> ctx.waitForSignal(HOUR));
        waits.put("timer", ctx -> ctx.newTimer(HOUR).get());
        waits.put("timer with timeout", ctx -> ctx.newTimer(HOUR).get(HOUR.multipliedBy(2)));
        waits.put(
                "updatable", ctx -> ctx.newUpdatableTimer().sleepUntil(ctx.now().plus(HOUR)));
        waits.put("debounced", ctx -> ctx.newDebouncedTimer(HOUR, HOUR).awaitLast());
        waits.put(
                "async",
                ctx -> ctx.async(() -> {
                            ctx.sleep(HOUR);
                            return "";
                        })
                        .get());
        waits.put(
                "allOf",
                ctx -> Promise.allOf(ctx.newTimer(HOUR), ctx.newTimer(HOUR.multipliedBy(2)))
                        .get());
        waits.put(
                "nested scope",
                ctx -> ctx.newCancellationScope(() -> ctx.sleep(HOUR)).run());
        waits.put(
                "child",
                ctx -> ctx.child("nowhere", "child", ChildOptions.DEFAULT, String.class, "")
                        .get());
        return waits;
    }

    @Test
    void everyKindOfWaitIsCancelledWithItsScope() {
        for (Duration after : List.of(SECOND, Duration.ofMinutes(1))) {
            waits().forEach((what, wait) -> simulate(sim -> {
                Dormouse dormouse = Scenario.open(sim, (ctx, input) -> cancelled(ctx, after, () -> wait.accept(ctx)));
                assertThat(sim.result(Scenario.start(dormouse)))
                        .as(what + " after " + after)
                        .matches("cancelled:.* went true");
                assertThat(sim.elapsed()).as(what).isLessThan(after.plusSeconds(5));
            }));
        }
    }

    @Test
    void cancelledWaitsAreTheSameAfterAKillAtAnyPoint() {
        Scenario.returnsWhenKilled("cancelled:enough went true/x", Duration.ofSeconds(20), sim -> (ctx, input) -> {
            String text = cancelled(ctx, Duration.ofSeconds(8), () -> ctx.sleep(HOUR));
            ctx.sleep(Duration.ofSeconds(10));
            return text + "/" + ctx.step("s", String.class, () -> "x");
        });
    }

    @Test
    void stepOfACancelledScopeIsInterruptedAndItsLateResultIsDropped() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                String text = cancelled(
                        ctx,
                        Duration.ofSeconds(10),
                        () -> ctx.step("slow", () -> {
                            for (int i = 0; i < 100 && !Thread.currentThread().isInterrupted(); i++) {
                                sim.advance(SECOND);
                            }
                            sim.log(Thread.currentThread().isInterrupted() ? "interrupted" : "not interrupted");
                            sim.advance(Duration.ofSeconds(20));
                            sim.log("ended");
                        }));
                ctx.sleep(Duration.ofMinutes(5));
                return text + ctx.step("after", String.class, () -> "/after");
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            assertThat(sim.result(handle)).isEqualTo("cancelled:enough went true/after");
            assertThat(sim.log()).contains("interrupted");
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void stepThatIgnoresItsInterruptionDoesNotHoldTheCancelUp() {
        simulate(sim -> {
            WorkflowFunction<String, String> code = (ctx, input) -> {
                String text = cancelled(
                        ctx,
                        SECOND,
                        () -> ctx.step("deaf", () -> {
                            sim.advance(Duration.ofMinutes(30));
                            sim.log("ended");
                        }));
                text += "/" + ctx.step("next", String.class, () -> sim.elapsed().toSeconds() < 60 ? "soon" : "late");
                ctx.sleep(HOUR);
                return text;
            };
            Dormouse one = Scenario.open(sim, code);
            Scenario.start(one);
            sim.advance(Duration.ofMinutes(40));
            sim.kill(one);
            Dormouse two = Scenario.open(sim, code);
            assertThat(sim.result(two.find("w", String.class).orElseThrow()))
                    .isEqualTo("cancelled:enough went true/soon");
        });
    }

    @Test
    void nestedScopesAreCancelledFromTheOutsideInAndNotFromTheInsideOut() {
        Scenario.returns("inner cancelled:in, outer went on, then cancelled:out", sim -> (ctx, input) -> {
            StringBuilder text = new StringBuilder();
            CancellationScope[] inner = new CancellationScope[1];
            CancellationScope outer = ctx.newCancellationScope(() -> {
                inner[0] = ctx.newCancellationScope(() -> text.append("inner ").append(outcome(() -> ctx.sleep(HOUR))));
                inner[0].run();
                text.append(", outer went on");
                CancellationScope second = ctx.newCancellationScope(() -> ctx.sleep(HOUR));
                text.append(", then ").append(outcome(second::run));
            });
            Promise<String> runs = ctx.async(() -> outcome(outer::run));
            ctx.sleep(SECOND);
            inner[0].cancel("in");
            ctx.sleep(SECOND);
            assertThat(outer.isCancelled()).isFalse();
            outer.cancel("out");
            runs.get();
            return text.toString();
        });
    }

    @Test
    void detachedScopeWithinACancelledOneContinues() {
        Scenario.returnsWhenKilled("cancelled:enough cleaned null", Duration.ofSeconds(30), sim -> (ctx, input) -> {
            StringBuilder text = new StringBuilder();
            CancellationScope scope = ctx.newCancellationScope(() -> {
                text.append(outcome(() -> ctx.sleep(HOUR)));
                ctx.newDetachedCancellationScope(() -> {
                            ctx.sleep(Duration.ofSeconds(10));
                            text.append(" ").append(ctx.step("clean", String.class, () -> "cleaned"));
                            text.append(" ")
                                    .append(outcome(() -> ctx.newTimer(SECOND).get()));
                        })
                        .run();
            });
            Promise<String> runs = ctx.async(() -> outcome(scope::run));
            ctx.sleep(Duration.ofSeconds(6));
            scope.cancel("enough");
            runs.get();
            return text.toString();
        });
    }

    @Test
    void secondCancelChangesNothingAndTheFirstReasonCounts() {
        Scenario.returns("cancelled:one went true", sim -> (ctx, input) -> {
            String[] text = {""};
            CancellationScope scope = ctx.newCancellationScope(() -> text[0] = outcome(() -> ctx.sleep(HOUR)));
            Promise<String> runs = ctx.async(() -> outcome(scope::run));
            ctx.sleep(SECOND);
            scope.cancel("one");
            scope.cancel("two");
            String ended = runs.get();
            return text[0] + " " + ended + " " + scope.isCancelled();
        });
    }

    @Test
    void scopeThatWasCancelledBeforeItRunsCancelsItsFirstWait() {
        Scenario.returns("cancelled:early[cancelled:early, cancelled:early, cancelled:early]", sim -> (ctx, input) -> {
            List<String> all = new ArrayList<>();
            CancellationScope scope = ctx.newCancellationScope(() -> {
                all.add(outcome(() -> ctx.sleep(HOUR)));
                all.add(outcome(() -> ctx.await(() -> false)));
                all.add(outcome(() -> ctx.step("never", () -> sim.log("stepped"))));
                ctx.sleep(HOUR);
            });
            scope.cancel("early");
            String text = outcome(scope::run) + all;
            assertThat(sim.log()).isEmpty();
            return text;
        });
    }

    @Test
    void codeThatSwallowsItsCancelContinuesOutsideOfTheScope() {
        Scenario.returnsWhenKilled("swallowed5 x", Duration.ofSeconds(40), sim -> (ctx, input) -> {
            int[] swallowed = {0};
            CancellationScope scope = ctx.newCancellationScope(() -> {
                for (int i = 0; i < 5; i++) {
                    try {
                        ctx.sleep(HOUR);
                    } catch (CancelledException cancelled) {
                        swallowed[0]++;
                    }
                }
            });
            Promise<String> runs = ctx.async(() -> outcome(scope::run));
            ctx.sleep(Duration.ofSeconds(10));
            scope.cancel();
            runs.get();
            ctx.sleep(Duration.ofSeconds(20));
            return "swallowed" + swallowed[0] + " " + ctx.step("s", String.class, () -> "x");
        });
    }

    @Test
    void emptyScopeAndScopeWithoutAnyWaitRun() {
        Scenario.returns("went went false", sim -> (ctx, input) -> {
            CancellationScope scope = ctx.newCancellationScope(() -> {});
            return outcome(scope::run) + " " + outcome(scope::run) + " " + scope.isCancelled();
        });
    }

    @Test
    void exceptionOfAScopesBodyReachesItsCaller() {
        Scenario.returns(
                "IllegalStateException:x",
                sim -> (ctx, input) -> outcome(ctx.newCancellationScope(() -> {
                    ctx.sleep(SECOND);
                    throw new IllegalStateException("x");
                })::run));
    }

    @Test
    void timerMadeInsideOfAScopeIsCancelledWithItAlthoughItIsAwaitedOutside() {
        Scenario.returns("cancelled:enough", sim -> (ctx, input) -> {
            List<Promise<Void>> timer = new ArrayList<>();
            CancellationScope scope = ctx.newCancellationScope(() -> timer.add(ctx.newTimer(HOUR)));
            scope.run();
            ctx.sleep(SECOND);
            scope.cancel("enough");
            return outcome(() -> timer.get(0).get(Duration.ofMinutes(1)));
        });
    }

    @Test
    void scopeThatCancelsItselfThrowsAtItsNextWait() {
        Scenario.returns("cancelled:me", sim -> (ctx, input) -> {
            CancellationScope[] self = new CancellationScope[1];
            self[0] = ctx.newCancellationScope(() -> {
                self[0].cancel("me");
                ctx.sleep(HOUR);
            });
            return outcome(self[0]::run);
        });
    }

    @Test
    void nullAsAReasonIsRefusedOrTakenButNeverHarmsTheRun() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                CancellationScope scope = ctx.newCancellationScope(() -> ctx.sleep(HOUR));
                String unclear = new Scenario.BadCalls()
                        .add("cancel(null)", () -> scope.cancel(null))
                        .unclear();
                ctx.sleep(SECOND);
                return unclear;
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEmpty();
        });
    }
}
