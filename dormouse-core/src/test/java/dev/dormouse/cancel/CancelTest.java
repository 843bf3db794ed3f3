package dev.dormouse.cancel;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.CancellationScope;
import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.Signal;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.WorkflowException;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cancel requests to runs. */
class CancelTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private static void assertCanceled(SimulatedDormouse sim, WorkflowHandle<?> handle) {
        WorkflowException failure = sim.failure(handle);
        assertClear(failure, ErrorCode.RUN_CANCELLED);
        assertThat(failure).hasMessageContaining("not wanted");
        assertThat(handle.describe().status()).isEqualTo(RunStatus.CANCELLED);
    }

    @Test
    void sleepingParkedAndWaitingRunsEndAtOnce() {
        List<WorkflowFunction<String, String>> codes = List.of(
                (ctx, input) -> {
                    ctx.sleep(HOUR);
                    return "";
                },
                (ctx, input) -> {
                    for (int i = 0; i < 1_000; i++) {
                        ctx.sleep(Duration.ofSeconds(4));
                    }
                    return "";
                },
                (ctx, input) -> {
                    ctx.await(() -> false);
                    return "";
                },
                (ctx, input) -> ctx.waitForSignal(HOUR).map(Signal::name).orElse(""),
                (ctx, input) -> {
                    ctx.newUpdatableTimer().sleepUntil(ctx.now().plus(HOUR));
                    return "";
                });
        for (WorkflowFunction<String, String> code : codes) {
            for (boolean fromAnotherNode : List.of(false, true)) {
                simulate(sim -> {
                    Dormouse one = Scenario.open(sim, code);
                    WorkflowHandle<String> handle = Scenario.start(one);
                    sim.advance(Duration.ofSeconds(10));
                    Dormouse client = fromAnotherNode ? sim.open(node -> node.remoteWorkflow("w")) : one;
                    Duration before = sim.elapsed();
                    client.find("w", String.class).orElseThrow().cancel("not wanted");
                    assertCanceled(sim, handle);
                    assertThat(sim.elapsed().minus(before)).isLessThan(Duration.ofSeconds(3));
                    sim.assertStillWorks(one);
                });
            }
        }
    }

    @Test
    void stepIsInterruptedByACancelFromThisNodeAndFromAnother() {
        for (boolean fromAnotherNode : List.of(false, true)) {
            simulate(sim -> {
                Dormouse one = Scenario.open(sim, (ctx, input) -> {
                    ctx.step("slow", () -> {
                        for (int i = 0; i < 600 && !Thread.currentThread().isInterrupted(); i++) {
                            sim.advance(SECOND);
                        }
                        sim.log("interrupted " + Thread.currentThread().isInterrupted());
                    });
                    ctx.step("next", () -> sim.log("next"));
                    return "";
                });
                WorkflowHandle<String> handle = Scenario.start(one);
                sim.advance(Duration.ofSeconds(20));
                Dormouse client = fromAnotherNode ? sim.open(node -> node.remoteWorkflow("w")) : one;
                client.find("w", String.class).orElseThrow().cancel("not wanted");
                assertCanceled(sim, handle);
                assertThat(sim.elapsed()).isLessThan(Duration.ofSeconds(40));
                sim.advance(HOUR);
                assertThat(sim.log()).containsExactly("interrupted true");
                sim.assertStillWorks(one);
            });
        }
    }

    @Test
    void cleanUpInADetachedScopeIsDoneAlthoughTheNodeDiesInIt() {
        for (Duration kill : List.of(Duration.ZERO, SECOND, Duration.ofSeconds(7), Duration.ofSeconds(15))) {
            simulate(sim -> {
                WorkflowFunction<String, String> code = (ctx, input) -> {
                    try {
                        ctx.sleep(HOUR);
                    } finally {
                        ctx.newDetachedCancellationScope(() -> {
                                    ctx.sleep(Duration.ofSeconds(10));
                                    ctx.step("refund", () -> sim.log("refund"));
                                })
                                .run();
                    }
                    return "";
                };
                Dormouse one = Scenario.open(sim, code);
                WorkflowHandle<String> there = Scenario.start(one);
                sim.advance(Duration.ofSeconds(30));
                there.cancel("not wanted");
                sim.advance(kill);
                sim.kill(one);
                Dormouse two = Scenario.open(sim, code);
                assertCanceled(sim, two.find("w", String.class).orElseThrow());
                assertThat(sim.count("refund")).isEqualTo(1);
            });
        }
    }

    @Test
    void workflowThatCatchesItsCancelAndReturnsHasCompleted() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                try {
                    ctx.sleep(HOUR);
                    return "slept";
                } catch (CancelledException cancelled) {
                    return "caught " + cancelled.reason();
                }
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(Duration.ofSeconds(30));
            handle.cancel("not wanted");
            assertThat(sim.result(handle)).isEqualTo("caught not wanted");
            assertThat(handle.describe().status()).isEqualTo(RunStatus.COMPLETED);
        });
    }

    @Test
    void everyWaitAfterTheCancelIsCancelledToo() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                int swallowed = 0;
                for (int i = 0; i < 10; i++) {
                    try {
                        ctx.sleep(HOUR);
                    } catch (CancelledException cancelled) {
                        swallowed++;
                    }
                }
                return "swallowed " + swallowed;
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(HOUR.plusMinutes(30));
            handle.cancel("not wanted");
            handle.cancel("still not wanted");
            assertThat(sim.result(handle)).isEqualTo("swallowed 9");
        });
    }

    @Test
    void cancelOfARunThatHasNotBegunEndsItAtOnceWithoutItsCode() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                sim.log("began");
                ctx.sleep(HOUR);
                return "";
            });
            WorkflowHandle<String> handle =
                    dormouse.start("w", "w", StartOptions.DEFAULT.withStartDelay(HOUR), String.class, "");
            sim.advance(SECOND);
            handle.cancel("not wanted");
            assertCanceled(sim, handle);
            assertThat(sim.elapsed()).isLessThan(Duration.ofSeconds(20));
        });
    }

    @Test
    void cancelOfAStuckRunIsKeptUntilItsCodeIsRight() {
        simulate(sim -> {
            Dormouse one = Scenario.open(sim, (ctx, input) -> {
                ctx.step("a", () -> {});
                ctx.sleep(Duration.ofMinutes(1));
                return "";
            });
            Scenario.start(one);
            sim.advance(Duration.ofSeconds(10));
            sim.kill(one);
            Dormouse wrong = Scenario.open(sim, (ctx, input) -> {
                ctx.step("b", () -> {});
                return "";
            });
            WorkflowHandle<String> handle = wrong.find("w", String.class).orElseThrow();
            sim.awaitStatus(handle, RunStatus.STUCK);
            handle.cancel("not wanted");
            sim.advance(Duration.ofMinutes(5));
            assertThat(handle.describe().status()).isEqualTo(RunStatus.STUCK);
            sim.kill(wrong);
            Dormouse right = Scenario.open(sim, (ctx, input) -> {
                ctx.step("a", () -> {});
                ctx.sleep(Duration.ofMinutes(1));
                ctx.sleep(HOUR);
                return "";
            });
            sim.await(
                    "its end",
                    () -> right.find("w", String.class)
                            .orElseThrow()
                            .describe()
                            .status()
                            .isClosed());
            assertCanceled(sim, right.find("w", String.class).orElseThrow());
        });
    }

    @Test
    void cancelOfAClosedRunIsAClearErrorOrNothing() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> "done");
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.result(handle);
            assertClear(catchThrowable(() -> handle.cancel("not wanted")), ErrorCode.RUN_CLOSED);
            assertThat(handle.describe().status()).isEqualTo(RunStatus.COMPLETED);
        });
    }

    @Test
    void cancelWithNullOrAVeryLongReasonIsRefusedOrTakenClearly() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.sleep(HOUR);
                return "done";
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(SECOND);
            assertThat(new Scenario.BadCalls()
                            .add("null", () -> handle.cancel(null))
                            .add("3 MB", () -> handle.cancel("x".repeat(3 << 20)))
                            .unclear())
                    .isEmpty();
            sim.advance(SECOND);
            assertThat(handle.describe().status().isClosed()).isFalse();
            handle.cancel("");
            assertThat(sim.failure(handle).code()).isEqualTo(ErrorCode.RUN_CANCELLED);
        });
    }

    @Test
    void cancelWhileNoNodeLivesIsDoneWhenOneComes() {
        simulate(sim -> {
            WorkflowFunction<String, String> code = (ctx, input) -> {
                ctx.step("a", () -> {});
                ctx.sleep(HOUR);
                return "slept";
            };
            Dormouse one = Scenario.open(sim, code);
            Scenario.start(one);
            sim.advance(SECOND);
            sim.kill(one);
            Dormouse client = sim.open(node -> node.remoteWorkflow("w"));
            client.find("w", String.class).orElseThrow().cancel("not wanted");
            sim.advance(HOUR.multipliedBy(2));
            Dormouse two = Scenario.open(sim, code);
            assertCanceled(sim, two.find("w", String.class).orElseThrow());
        });
    }

    @Test
    void cancelThatThrowsThroughAnAsyncEndsTheRunAsCanceled() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                Promise<String> one = ctx.async(() -> {
                    ctx.sleep(HOUR);
                    return "";
                });
                try {
                    return one.get();
                } catch (CancelledException cancelled) {
                    throw new IllegalStateException("wrapped", cancelled);
                }
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(SECOND);
            handle.cancel("not wanted");
            WorkflowException failure = sim.failure(handle);
            assertThat(failure).isInstanceOf(DormouseException.class);
            assertThat(handle.describe().status()).isIn(RunStatus.FAILED, RunStatus.CANCELLED);
        });
    }

    @Test
    void cancelledScopeWhoseFailureLeavesTheWorkflowMethodIsNotACancelOfTheRun() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                CancellationScope scope = ctx.newCancellationScope(() -> ctx.sleep(HOUR));
                scope.cancel("mine");
                scope.run();
                return "";
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            assertThat(sim.failure(handle).getMessage()).contains("mine");
            assertThat(handle.describe().status()).isIn(RunStatus.FAILED, RunStatus.CANCELLED);
        });
    }

    @Test
    void lateResultOfAStepThatIgnoredTheRunsCancelDoesNotDisturbItsCleanUp() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                try {
                    ctx.step("deaf", () -> sim.advance(Duration.ofMinutes(1)));
                } finally {
                    ctx.newDetachedCancellationScope(() -> {
                                ctx.sleep(Duration.ofMinutes(10));
                                ctx.step("refund", () -> sim.log("refund"));
                            })
                            .run();
                }
                return "";
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(Duration.ofSeconds(30));
            handle.cancel("not wanted");
            assertCanceled(sim, handle);
            assertThat(sim.count("refund")).isEqualTo(1);
        });
    }
}
