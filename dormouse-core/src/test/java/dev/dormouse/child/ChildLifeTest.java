package dev.dormouse.child;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.ParentClosePolicy;
import dev.dormouse.Promise;
import dev.dormouse.Signal;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nested children, children that continue as new, children beside steps, and invalid calls. */
class ChildLifeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private static Promise<String> child(WorkflowContext ctx, String type, String id, Object... input) {
        return ctx.child(type, id, ChildOptions.DEFAULT, String.class, input);
    }

    private static DormouseBuilder tree(DormouseBuilder node, SimulatedDormouse sim) {
        return node.workflow("tree", Integer.class, String.class, (ctx, depth) -> {
            if (depth == 0) {
                ctx.sleep(Duration.ofSeconds(8));
                return ctx.step("leaf", String.class, () -> {
                    sim.log("leaf");
                    return "*";
                });
            }
            String id = ctx.info().workflowId();
            Promise<String> left = child(ctx, "tree", id + "l", depth - 1);
            Promise<String> right = child(ctx, "tree", id + "r", depth - 1);
            return left.get() + right.get();
        });
    }

    @Test
    void treeOfThirtyOneRunsReturnsEvenWhenNodesDie() {
        for (Duration kill : List.of(Duration.ofMillis(10), Duration.ofMillis(50), SECOND, Duration.ofSeconds(8))) {
            simulate(sim -> {
                Dormouse one = sim.open(node -> tree(node, sim));
                one.start("tree", "t", String.class, 4);
                sim.advance(kill);
                Dormouse two = sim.open(node -> tree(node, sim));
                sim.kill(one);
                assertThat(sim.result(two.find("t", String.class).orElseThrow()))
                        .isEqualTo("*".repeat(16));
            });
        }
    }

    @Test
    void grandchildrenEndWithTheTerminatedGrandparent() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow("chain", Integer.class, String.class, (ctx, depth) -> {
                if (depth > 0) {
                    child(ctx, "chain", "c" + (depth - 1), depth - 1);
                }
                ctx.sleep(HOUR);
                return "";
            }));
            WorkflowHandle<String> top = dormouse.start("chain", "c5", String.class, 5);
            sim.advance(SECOND.multipliedBy(20));
            top.terminate("enough");
            sim.advance(SECOND.multipliedBy(30));
            for (int i = 0; i < 5; i++) {
                assertThat(dormouse.find("c" + i, String.class)
                                .orElseThrow()
                                .describe()
                                .status())
                        .as("c" + i)
                        .isEqualTo(RunStatus.TERMINATED);
            }
        });
    }

    @Test
    void parentGetsTheFinalResultOfAChildThatContinuesAsNew() {
        for (Duration kill : List.of(Duration.ofMillis(10), SECOND, Duration.ofSeconds(30), Duration.ofSeconds(50))) {
            simulate(sim -> {
                Dormouse one = openContinuing(sim);
                Scenario.start(one);
                sim.advance(kill);
                sim.kill(one);
                Dormouse two = openContinuing(sim);
                assertThat(sim.result(two.find("w", String.class).orElseThrow()))
                        .isEqualTo("last of 5");
            });
        }
    }

    private static Dormouse openContinuing(SimulatedDormouse sim) {
        return sim.open(node -> Scenario.with(
                        node, (ctx, input) -> child(ctx, "goes on", "c", 0).get())
                .workflow("goes on", Integer.class, String.class, (ctx, round) -> {
                    ctx.sleep(Duration.ofSeconds(10));
                    if (round < 5) {
                        ctx.continueAsNew(round + 1);
                    }
                    return "last of " + round;
                }));
    }

    @Test
    void successorOfAChildIsTerminatedWithItsParentToo() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> Scenario.with(node, (ctx, input) -> {
                        child(ctx, "goeson", "c", 0);
                        ctx.sleep(Duration.ofSeconds(35));
                        return "";
                    })
                    .workflow("goeson", Integer.class, String.class, (ctx, round) -> {
                        ctx.sleep(Duration.ofSeconds(10));
                        ctx.continueAsNew(round + 1);
                        return "";
                    }));
            sim.result(Scenario.start(dormouse));
            sim.advance(Duration.ofMinutes(1));
            assertThat(dormouse.find("c", String.class).orElseThrow().describe().status())
                    .isEqualTo(RunStatus.TERMINATED);
        });
    }

    @Test
    void childrenThatAreOpenWhenTheParentContinuesAsNewFollowTheirPolicy() {
        for (boolean abandon : List.of(true, false)) {
            simulate(sim -> {
                Dormouse dormouse = sim.open(node -> node.workflow("p", Integer.class, String.class, (ctx, round) -> {
                            if (round == 0) {
                                ChildOptions options = abandon
                                        ? ChildOptions.DEFAULT.withParentClosePolicy(ParentClosePolicy.ABANDON)
                                        : ChildOptions.DEFAULT;
                                ctx.child("c", "c", options, String.class, "");
                                ctx.sleep(SECOND);
                                ctx.continueAsNew(1);
                            }
                            ctx.sleep(Duration.ofMinutes(10));
                            return "end";
                        })
                        .workflow("c", String.class, String.class, (ctx, input) -> {
                            ctx.sleep(Duration.ofMinutes(5));
                            return "child";
                        }));
                WorkflowHandle<String> parent = dormouse.start("p", "p", String.class, 0);
                assertThat(sim.result(parent)).isEqualTo("end");
                assertThat(dormouse.find("c", String.class)
                                .orElseThrow()
                                .describe()
                                .status())
                        .isEqualTo(abandon ? RunStatus.COMPLETED : RunStatus.TERMINATED);
            });
        }
    }

    @Test
    void childStartsAtOnceAlthoughAStepOfItsParentIsInFlight() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> Scenario.with(node, (ctx, input) -> {
                        Promise<String> slow = ctx.async(() -> ctx.step("slow", String.class, () -> {
                            sim.advance(Duration.ofMinutes(10));
                            return "slow";
                        }));
                        ctx.sleep(Duration.ofSeconds(10));
                        Promise<String> child = child(ctx, "c", "c", "");
                        return child.get() + slow.get();
                    })
                    .workflow(
                            "c",
                            String.class,
                            String.class,
                            (ctx, input) -> ctx.step("s", String.class, () -> {
                                sim.log("child after " + sim.elapsed().toMinutes());
                                return "child";
                            })));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("childslow");
            assertThat(sim.log()).containsExactly("child after 0");
        });
    }

    @Test
    void signalLeavesAtOnceAlthoughAStepOfItsSenderIsInFlight() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> Scenario.with(node, (ctx, input) -> {
                        Promise<String> slow = ctx.async(() -> ctx.step("slow", String.class, () -> {
                            sim.advance(Duration.ofMinutes(10));
                            return "slow";
                        }));
                        ctx.sleep(Duration.ofSeconds(10));
                        ctx.signal("c", "go");
                        return slow.get();
                    })
                    .workflow(
                            "c",
                            String.class,
                            String.class,
                            (ctx, input) -> ctx.waitForSignal(Duration.ofMinutes(2))
                                    .map(Signal::name)
                                    .orElse("none")));
            WorkflowHandle<String> other = dormouse.start("c", "c", String.class, "");
            Scenario.start(dormouse);
            assertThat(sim.result(other)).isEqualTo("go");
        });
    }

    @Test
    void childThatIsStartedTwiceUnderOneIdFailsTheSecondOnly() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> Scenario.with(node, (ctx, input) -> {
                        Promise<String> one = child(ctx, "c", "c", "");
                        Promise<String> two = child(ctx, "c", "c", "");
                        assertClear(catchThrowable(two::get), ErrorCode.CHILD_FAILED);
                        return one.get();
                    })
                    .workflow("c", String.class, String.class, (ctx, input) -> {
                        ctx.sleep(Duration.ofSeconds(20));
                        return "one";
                    }));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("one");
        });
    }

    @Test
    void resultThatDoesNotFitTheAskedTypeParksTheParentAndIsNotLost() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> Scenario.with(node, (ctx, input) -> {
                        Promise<Integer> wrong = ctx.child("c", "c", ChildOptions.DEFAULT, Integer.class, "");
                        return "" + catchThrowable(wrong::get);
                    })
                    .workflow("c", String.class, String.class, (ctx, input) -> "not a number"));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.awaitStatus(handle, RunStatus.STUCK);
            assertClear(handle.describe().trouble(), ErrorCode.CODE_DOES_NOT_MATCH);
            assertThat(handle.describe().trouble()).contains("child 'c'").contains("java.lang.Integer");
        });
    }

    @Test
    void childIdTypeAndInputAreCheckedWhenItIsCalled() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> Scenario.with(node, (ctx, input) -> {
                String unclear = new Scenario.BadCalls()
                        .add("empty id", () -> child(ctx, "c", "", ""))
                        .add("empty type", () -> child(ctx, "", "c", ""))
                        .add("long id", () -> child(ctx, "c", "c".repeat(9_000), ""))
                        .add("NUL", () -> child(ctx, "c", "\0", ""))
                        .add("too large", () -> child(ctx, "c", "c", "x".repeat(3 << 20)))
                        .add("no workflow interface", () -> ctx.child(Runnable.class, "c", ChildOptions.DEFAULT))
                        .unclear();
                ctx.sleep(SECOND);
                return unclear;
            }));
            assertThat(sim.result(Scenario.start(dormouse))).isEmpty();
        });
    }

    @Test
    void nullsAreRefusedClearlyByChildAndSignal() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> Scenario.with(
                    node,
                    (ctx, input) -> new Scenario.BadCalls()
                            .add("null type", () -> child(ctx, null, "c", ""))
                            .add("null id", () -> child(ctx, "c", null, ""))
                            .add("null options", () -> ctx.child("c", "c", null, String.class, ""))
                            .add(
                                    "null result type",
                                    () -> ctx.child("c", "c", ChildOptions.DEFAULT, (Class<?>) null, ""))
                            .add("null interface", () -> ctx.child((Class<Runnable>) null, "c", ChildOptions.DEFAULT))
                            .add("signal to null", () -> ctx.signal(null, "x"))
                            .add("signal without a name", () -> ctx.signal("x", ""))
                            .unclear()));
            assertThat(sim.result(Scenario.start(dormouse))).isEmpty();
        });
    }

    @Test
    void signalOfNameNullIsRefusedAndTheRunIsUnharmed() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> Scenario.with(node, (ctx, input) -> {
                String unclear = new Scenario.BadCalls()
                        .add("null", () -> ctx.signal("x", null))
                        .unclear();
                ctx.sleep(SECOND);
                return unclear;
            }));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(HOUR);
            assertThat(handle.describe().status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(sim.result(handle)).isEmpty();
        });
    }
}
