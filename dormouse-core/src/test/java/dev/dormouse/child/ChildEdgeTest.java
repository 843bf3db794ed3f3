package dev.dormouse.child;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.ParentClosePolicy;
import dev.dormouse.Promise;
import dev.dormouse.TimerPolicy;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Children that are requested, cancelled and abandoned at the same moment; children and parents that continue as new.
 */
class ChildEdgeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static Dormouse open(SimulatedDormouse sim, WorkflowFunction<String, String> parent) {
        return sim.open(node -> Scenario.with(node, parent)
                .workflow("naps", String.class, String.class, (ctx, input) -> {
                    ctx.sleep(Duration.ofSeconds(20));
                    return ctx.step("s", String.class, () -> {
                        sim.log("napped");
                        return "napped";
                    });
                })
                .workflow("goeson", Integer.class, String.class, (ctx, round) -> {
                    ctx.sleep(Duration.ofSeconds(10));
                    ctx.continueAsNew(round + 1);
                    return "";
                }));
    }

    private static RunStatus status(Dormouse dormouse, String workflowId) {
        return dormouse.find(workflowId, String.class)
                .map(handle -> handle.describe().status())
                .orElse(null);
    }

    @Test
    void parentThatReturnsAtOnceLeavesItsAbandonedChildRunning() {
        for (long kill : List.of(-1L, 0L, 2L, 4L, 6L, 9L, 15L)) {
            simulate(sim -> {
                WorkflowFunction<String, String> code = (ctx, input) -> {
                    ctx.child(
                            "naps",
                            "c",
                            ChildOptions.DEFAULT.withParentClosePolicy(ParentClosePolicy.ABANDON),
                            String.class,
                            "");
                    return "left";
                };
                Dormouse one = open(sim, code);
                Scenario.start(one);
                if (kill >= 0) {
                    sim.advance(Duration.ofMillis(kill));
                    sim.kill(one);
                }
                Dormouse two = open(sim, code);
                assertThat(sim.result(two.find("w", String.class).orElseThrow()))
                        .isEqualTo("left");
                sim.advance(Duration.ofMinutes(2));
                assertThat(status(two, "c")).as("killed after " + kill).isEqualTo(RunStatus.COMPLETED);
                assertThat(sim.count("napped")).isEqualTo(1);
            });
        }
    }

    @Test
    void parentThatReturnsAtOnceEndsItsOtherChildrenOrNeverStartsThem() {
        for (ChildOptions options :
                List.of(ChildOptions.DEFAULT, ChildOptions.DEFAULT.withParentClosePolicy(ParentClosePolicy.CANCEL))) {
            simulate(sim -> {
                Dormouse dormouse = open(sim, (ctx, input) -> {
                    ctx.child("naps", "c", options, String.class, "");
                    return "left";
                });
                assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("left");
                sim.advance(Duration.ofMinutes(2));
                assertThat(status(dormouse, "c")).isIn(null, RunStatus.TERMINATED, RunStatus.CANCELLED);
                assertThat(sim.count("napped")).isZero();
            });
        }
    }

    @Test
    void childThatIsCancelledInTheMomentOfItsRequestEndsItsPromise() {
        Scenario.returns("RUN_CANCELLED", sim -> (ctx, input) -> {
            Promise<String> child = ctx.child("echo", "c", ChildOptions.DEFAULT, String.class, "x");
            child.cancel();
            try {
                return child.get();
            } catch (DormouseException problem) {
                ctx.sleep(SECOND);
                return problem.code() == dev.dormouse.error.ErrorCode.CHILD_FAILED
                        ? "RUN_CANCELLED"
                        : problem.code().toString();
            }
        });
    }

    @Test
    void childOfAnUnknownTypeIsTerminatedWithItsParent() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                ctx.child("nowhere", "c", ChildOptions.DEFAULT, String.class, "");
                ctx.sleep(Duration.ofSeconds(20));
                return "";
            });
            sim.result(Scenario.start(dormouse));
            sim.advance(Duration.ofSeconds(30));
            assertThat(status(dormouse, "c")).isEqualTo(RunStatus.TERMINATED);
        });
    }

    @Test
    void cancelReachesAChildThatHasContinuedAsNew() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                Promise<String> child = ctx.child("goeson", "c", ChildOptions.DEFAULT, String.class, 0);
                ctx.sleep(Duration.ofSeconds(35));
                child.cancel();
                try {
                    return child.get(Duration.ofMinutes(5));
                } catch (DormouseException problem) {
                    return problem.code().toString();
                }
            });
            assertThat(sim.result(Scenario.start(dormouse))).isIn("CHILD_FAILED", "RUN_CANCELLED");
            assertThat(status(dormouse, "c")).isEqualTo(RunStatus.CANCELLED);
        });
    }

    @Test
    void cancelWithTheParentReachesAChildThatHasContinuedAsNew() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                ctx.child(
                        "goeson",
                        "c",
                        ChildOptions.DEFAULT.withParentClosePolicy(ParentClosePolicy.CANCEL),
                        String.class,
                        0);
                ctx.sleep(Duration.ofSeconds(35));
                return "";
            });
            sim.result(Scenario.start(dormouse));
            sim.advance(Duration.ofSeconds(30));
            assertThat(status(dormouse, "c")).isEqualTo(RunStatus.CANCELLED);
        });
    }

    @Test
    void cancelByTheHandleOfARunThatHasContinuedReachesTheOpenOneOrIsRefused() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> "");
            WorkflowHandle<String> first = dormouse.start("goeson", "c", String.class, 0);
            sim.advance(Duration.ofSeconds(35));
            boolean refused = false;
            try {
                first.cancel("enough");
            } catch (DormouseException problem) {
                refused = true;
            }
            sim.advance(Duration.ofSeconds(30));
            assertThat(refused || status(dormouse, "c") == RunStatus.CANCELLED).isTrue();
        });
    }

    @Test
    void cancelWhileItContinuesAsNewIsNotLost() {
        for (int millis = 0; millis < 14; millis++) {
            int at = millis;
            simulate(sim -> {
                Dormouse dormouse = open(sim, (ctx, input) -> "");
                dormouse.start("goeson", "c", String.class, 0);
                sim.advance(Duration.ofSeconds(10).plusMillis(at));
                dormouse.find("c", String.class).orElseThrow().cancel("enough");
                sim.advance(Duration.ofSeconds(5));
                assertThat(status(dormouse, "c")).as("cancelled after " + at).isEqualTo(RunStatus.CANCELLED);
            });
        }
    }

    @Test
    void timerOfTheOpenRunIsMovedByTheHandleOfTheFirst() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow("t", Integer.class, String.class, (ctx, round) -> {
                ctx.newUpdatableTimer("t", TimerPolicy.ANY).sleepUntil(ctx.now().plus(Duration.ofMinutes(1)));
                if (round == 0) {
                    ctx.continueAsNew(1);
                }
                return "end";
            }));
            WorkflowHandle<String> first = dormouse.start("t", "t", String.class, 0);
            sim.advance(Duration.ofSeconds(90));
            first.timer("t").reschedule(sim.now().plus(Duration.ofHours(1)));
            sim.advance(Duration.ofMinutes(30));
            assertThat(status(dormouse, "t")).isEqualTo(RunStatus.WAITING);
            assertThat(sim.result(dormouse.find("t", String.class).orElseThrow()))
                    .isEqualTo("end");
        });
    }

    @Test
    void inputOfContinueAsNewIsCheckedAgainstTheWorkflowsOwnSignature() {
        for (List<Object> input : List.of(List.of(), List.<Object>of("nan"), List.<Object>of(1, 2))) {
            simulate(sim -> {
                Dormouse dormouse = sim.open(node -> node.workflow("t", Integer.class, String.class, (ctx, round) -> {
                    try {
                        ctx.continueAsNew(input.toArray());
                    } catch (DormouseException refused) {
                        return refused.code().toString();
                    }
                    return "";
                }));
                dormouse.start("t", "t", String.class, 0);
                sim.advance(SECOND);
                assertThat(status(dormouse, "t")).as(input.toString()).isEqualTo(RunStatus.COMPLETED);
            });
        }
    }

    @Test
    void hundredChildrenInParallelAllReturnEvenAfterAKill() {
        for (Duration kill : List.of(Duration.ofMillis(5), Duration.ofMillis(60), SECOND, Duration.ofSeconds(3))) {
            simulate(sim -> {
                WorkflowFunction<String, String> code = (ctx, input) -> {
                    List<Promise<String>> all = new ArrayList<>();
                    for (int i = 0; i < 100; i++) {
                        all.add(ctx.child("naps", "c" + i, ChildOptions.DEFAULT, String.class, ""));
                    }
                    return String.valueOf(Promise.allOf(all).get().size());
                };
                Dormouse one = open(sim, code);
                Scenario.start(one);
                sim.advance(kill);
                sim.kill(one);
                Dormouse two = open(sim, code);
                assertThat(sim.result(two.find("w", String.class).orElseThrow()))
                        .isEqualTo("100");
            });
        }
    }
}
