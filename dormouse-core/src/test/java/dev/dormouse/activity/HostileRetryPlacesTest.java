package dev.dormouse.activity;

import static dev.dormouse.support.HostileScenario.HOUR;
import static dev.dormouse.support.HostileScenario.HOURLY;
import static dev.dormouse.support.HostileScenario.MINUTE;
import static dev.dormouse.support.HostileScenario.SECOND;
import static dev.dormouse.support.HostileScenario.attempts;
import static dev.dormouse.support.HostileScenario.failing;
import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Activity;
import dev.dormouse.ActivityOptions;
import dev.dormouse.CancellationScope;
import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.ParentClosePolicy;
import dev.dormouse.Promise;
import dev.dormouse.RetryPolicy;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.ChildFailedException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Box;
import dev.dormouse.support.HostileScenario;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Back-offs of steps in new runs, children, coroutines, handlers and scopes. */
class HostileRetryPlacesTest {

    @Test
    void attemptsAreCountedAnewInEachRunOfAChain() {
        HostileScenario.killed(
                Duration.ofSeconds(10),
                sim -> (ctx, input) -> {
                    ctx.step("s", attempts(4), () -> {
                        if (Activity.info().attempt() == 1) {
                            throw new IllegalStateException("the first always fails");
                        }
                    });
                    if (input.length() < 3) {
                        ctx.continueAsNew(input + "x");
                    }
                    return input;
                },
                (sim, handle) -> assertThat(sim.result(handle)).isEqualTo("xxx"));
    }

    private static UnaryOperator<DormouseBuilder> family(SimulatedDormouse sim, ChildOptions options, int failures) {
        return node -> Scenario.with(node, (ctx, input) -> {
                    try {
                        return "child "
                                + ctx.child("kid", "kid", options, String.class, "x")
                                        .get();
                    } catch (ChildFailedException failed) {
                        return failed.code() + " " + failed.getMessage().contains("failed 3 times");
                    }
                })
                .workflow(
                        "kid",
                        String.class,
                        String.class,
                        (ctx, input) -> ctx.step(
                                "s", failures > 50 ? HOURLY : attempts(3), String.class, () -> failing(sim, failures)));
    }

    @Test
    void childThatUsesUpItsAttemptsFailsInItsParent() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(family(sim, ChildOptions.DEFAULT, 9));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("CHILD_FAILED true");
            assertThat(sim.log()).hasSize(3);
        });
    }

    @Test
    void childInABackOffSurvivesItsNodesAndItsParentHearsOfIt() {
        for (Duration moment : HostileScenario.moments(Duration.ofSeconds(4))) {
            simulate(sim -> {
                UnaryOperator<DormouseBuilder> setUp = family(sim, ChildOptions.DEFAULT, 1);
                Dormouse one = sim.open(setUp);
                Scenario.start(one);
                sim.advance(moment);
                sim.kill(one);
                Dormouse two = sim.open(setUp);
                assertThat(sim.result(HostileScenario.latest(two))).startsWith("child attempt ");
            });
        }
    }

    @Test
    void childInABackOffEndsWithItsParentAsItsPolicySays() {
        for (ChildOptions options :
                List.of(ChildOptions.DEFAULT, ChildOptions.DEFAULT.withParentClosePolicy(ParentClosePolicy.CANCEL))) {
            simulate(sim -> {
                Dormouse dormouse = sim.open(family(sim, options, 99));
                WorkflowHandle<String> handle = Scenario.start(dormouse);
                sim.advance(MINUTE);
                handle.terminate("gone");
                WorkflowHandle<String> kid = dormouse.find("kid", String.class).orElseThrow();
                sim.await("the child's end", () -> kid.describe().closedAt().isPresent());
                assertThat(sim.elapsed()).isLessThan(MINUTE.multipliedBy(2));
                sim.advance(HOUR.multipliedBy(2));
                assertThat(sim.log()).containsExactly("attempt 1");
            });
        }
    }

    @Test
    void parallelStepsOfOneNameAreDistinguishedWheneverNodesDie() {
        Set<String> keys = new TreeSet<>();
        HostileScenario.killed(
                Duration.ofSeconds(8),
                sim -> {
                    keys.clear();
                    return (ctx, input) -> {
                        List<Promise<String>> all = new ArrayList<>();
                        for (int i = 0; i < 8; i++) {
                            int number = i;
                            all.add(ctx.async(() -> ctx.step("same", ActivityOptions.DEFAULT, String.class, () -> {
                                keys.add(Activity.idempotencyKey());
                                sim.advance(Duration.ofMillis(number * 3L % 7));
                                if (Activity.info().attempt() <= number % 4) {
                                    throw new IllegalStateException("no");
                                }
                                return "r" + number;
                            })));
                        }
                        return String.join(" ", Promise.allOf(all).get());
                    };
                },
                (sim, handle) -> {
                    assertThat(sim.result(handle)).isEqualTo("r0 r1 r2 r3 r4 r5 r6 r7");
                    assertThat(keys).hasSize(8);
                });
    }

    /** Handlers whose steps fail twice. */
    private static final class Shaky extends Box.Open {
        private final SimulatedDormouse sim;

        Shaky(SimulatedDormouse sim) {
            this.sim = sim;
        }

        @Override
        public void put(String text) {
            seen.add(Workflow.step("put " + text, ActivityOptions.DEFAULT, String.class, () -> {
                sim.log("put " + text);
                if (Activity.info().attempt() < 3) {
                    throw new IllegalStateException("not yet");
                }
                return text;
            }));
        }

        @Override
        public String change(String text) {
            return Workflow.step("change", attempts(2), String.class, () -> {
                throw new IllegalStateException("never");
            });
        }
    }

    @Test
    void stepsOfSignalHandlersBackOffLikeAnyOther() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(Box.class, () -> new Shaky(sim)));
            Box box = dormouse.workflow(Box.class, "w");
            WorkflowHandle<String> handle = dormouse.start(() -> box.run(""));
            box.put("one");
            box.put("two");
            sim.advance(Duration.ofSeconds(10));
            box.put("three");
            sim.advance(Duration.ofSeconds(10));
            box.end();
            assertThat(sim.result(handle).split(",")).containsExactlyInAnyOrder("one", "two", "three");
            assertThat(sim.log()).hasSize(9);
        });
    }

    @Test
    void stepOfASignalHandlerIsNotLostWheneverItsNodeDies() {
        for (Duration moment : HostileScenario.moments(Duration.ofSeconds(4))) {
            simulate(sim -> {
                UnaryOperator<DormouseBuilder> setUp = node -> node.workflow(Box.class, () -> new Shaky(sim));
                Dormouse one = sim.open(setUp);
                Box box = one.workflow(Box.class, "w");
                one.start(() -> box.run(""));
                box.put("one");
                sim.advance(moment);
                sim.kill(one);
                Dormouse two = sim.open(setUp);
                sim.advance(MINUTE);
                Box again = two.workflow(Box.class, "w");
                again.end();
                assertThat(sim.result(HostileScenario.latest(two))).isEqualTo("one");
            });
        }
    }

    @Test
    void updateWhoseStepUsesUpItsAttemptsHasFailedAndTheRunContinues() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(Box.class, () -> new Shaky(sim)));
            Box box = dormouse.workflow(Box.class, "w");
            WorkflowHandle<String> handle = dormouse.start(() -> box.run(""));
            assertThat(HostileScenario.outcome(() -> box.change("x"))).isEqualTo("UPDATE_FAILED");
            box.put("after");
            sim.advance(Duration.ofSeconds(10));
            box.end();
            assertThat(sim.result(handle)).isEqualTo("after");
        });
    }

    @Test
    void stepInABackOffWhoseScopeIsCancelledIsNotTriedAgain() {
        HostileScenario.killed(
                Duration.ofSeconds(8),
                sim -> (ctx, input) -> {
                    CancellationScope scope = ctx.newCancellationScope(() -> ctx.step(
                            "s",
                            ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT
                                    .withInitialInterval(MINUTE)
                                    .withBackoffCoefficient(1)),
                            () -> failing(sim, 99)));
                    Promise<String> step = ctx.async(() -> {
                        try {
                            scope.run();
                            return "?";
                        } catch (CancelledException cancelled) {
                            return "cancelled";
                        }
                    });
                    ctx.sleep(Duration.ofSeconds(5));
                    scope.cancel();
                    String text = step.get();
                    ctx.sleep(Duration.ofMinutes(5));
                    return text;
                },
                (sim, handle) -> {
                    assertThat(sim.result(handle)).isEqualTo("cancelled");
                    assertThat(sim.log().size()).isLessThanOrEqualTo(3);
                    assertThat(handle.describe().steps()).isEmpty();
                });
    }

    @Test
    void stepOfADetachedScopeIsTriedAgainAfterTheRunWasCancelled() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                try {
                    ctx.sleep(HOUR);
                } catch (CancelledException cancelled) {
                    ctx.newDetachedCancellationScope(
                                    () -> ctx.step("clean", ActivityOptions.DEFAULT, () -> failing(sim, 3)))
                            .run();
                    throw cancelled;
                }
                return "";
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(MINUTE);
            handle.cancel("stop");
            sim.advance(SECOND);
            handle.cancel("stop once more");
            assertClear(sim.failure(handle), ErrorCode.RUN_CANCELLED);
            assertThat(sim.log()).containsExactly("attempt 1", "attempt 2", "attempt 3", "attempt 4");
            assertThat(handle.describe().status()).isEqualTo(RunStatus.CANCELLED);
        });
    }

    @Test
    void workflowThatReturnsBesideAStepInABackOffLeavesItBehind() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.async(() -> ctx.step("s", HOURLY, String.class, () -> failing(sim, 9)));
                ctx.sleep(MINUTE);
                return "done";
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(handle.describe().steps()).isEmpty();
            sim.advance(HOUR.multipliedBy(2));
            assertThat(sim.log()).containsExactly("attempt 1");
            sim.assertStillWorks(dormouse);
        });
    }
}
