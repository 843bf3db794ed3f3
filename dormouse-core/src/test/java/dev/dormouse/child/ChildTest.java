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
import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.StartOptions;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.ChildFailedException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Child workflows. */
class ChildTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    @WorkflowInterface
    interface Job {
        @WorkflowMethod
        String run(String input);

        @SignalMethod
        void hurry(String why);

        @QueryMethod
        String state();
    }

    static final class JobWorkflow implements Job {
        private String why = "";

        @Override
        public String run(String input) {
            Workflow.await(MINUTE, () -> !why.isEmpty());
            return input + why;
        }

        @Override
        public void hurry(String reason) {
            why = reason;
        }

        @Override
        public String state() {
            return why;
        }
    }

    private static UnaryOperator<DormouseBuilder> children(SimulatedDormouse sim) {
        return node -> node.workflow(Job.class, JobWorkflow::new)
                .workflow("naps", String.class, String.class, (ctx, nap) -> {
                    ctx.sleep(Duration.parse(nap));
                    return ctx.step("s", String.class, () -> {
                        sim.log("napped");
                        return "napped " + nap;
                    });
                })
                .workflow("fails", String.class, String.class, (ctx, input) -> {
                    ctx.sleep(SECOND);
                    throw new IllegalStateException("child is " + input);
                })
                .workflow("cleans", String.class, String.class, (ctx, input) -> {
                    try {
                        ctx.sleep(HOUR);
                    } catch (CancelledException cancelled) {
                        sim.log("cleaned");
                        throw cancelled;
                    }
                    return "";
                });
    }

    private static Dormouse open(SimulatedDormouse sim, WorkflowFunction<String, String> parent) {
        return sim.open(node -> children(sim).apply(Scenario.with(node, parent)));
    }

    private static Promise<String> child(WorkflowContext ctx, String type, String id, Object... input) {
        return ctx.child(type, id, ChildOptions.DEFAULT, String.class, input);
    }

    private static void survives(String expected, WorkflowFunction<String, String> parent) {
        for (Duration kill : List.of(
                Duration.ZERO,
                Duration.ofMillis(3),
                Duration.ofMillis(7),
                Duration.ofMillis(20),
                SECOND,
                Duration.ofSeconds(5),
                Duration.ofSeconds(31))) {
            simulate(sim -> {
                Dormouse one = open(sim, parent);
                Scenario.start(one);
                sim.advance(kill);
                sim.kill(one);
                Dormouse two = open(sim, parent);
                assertThat(sim.result(two.find("w", String.class).orElseThrow()))
                        .as("killed after " + kill)
                        .isEqualTo(expected);
            });
        }
    }

    @Test
    void resultOfAChildWakesItsParentEvenAfterAKill() {
        survives("napped PT1S", (ctx, input) -> child(ctx, "naps", "c", "PT1S").get());
        survives(
                "napped PT30S", (ctx, input) -> child(ctx, "naps", "c", "PT30S").get());
    }

    @Test
    void stubOfAChildStartsItAndWaitsAndSendsSignals() {
        survives(
                "x",
                (ctx, input) -> ctx.child(Job.class, "c", ChildOptions.DEFAULT).run("x"));
        survives("x now", (ctx, input) -> {
            Job job = ctx.child(Job.class, "c", ChildOptions.DEFAULT);
            Promise<String> result = ctx.async(() -> job.run("x"));
            ctx.sleep(SECOND);
            job.hurry(" now");
            return result.get();
        });
    }

    @Test
    void queryOnAChildStubIsRefusedClearly() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                Job job = ctx.child(Job.class, "c", ChildOptions.DEFAULT);
                assertClear(catchThrowable(job::state), ErrorCode.BAD_STUB_CALL);
                return job.run("ok");
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("ok");
        });
    }

    @Test
    void failureOfAChildIsThrownIntoItsParentWithItsText() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                Throwable failed = catchThrowable(child(ctx, "fails", "c", "ill")::get);
                assertClear(failed, ErrorCode.CHILD_FAILED);
                assertThat(((ChildFailedException) failed).workflowId()).isEqualTo("c");
                assertThat(failed).hasMessageContaining("child is ill");
                return child(ctx, "naps", "d", "PT1S").get();
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("napped PT1S");
        });
    }

    @Test
    void childThatIsCancelledTerminatedOrTimedOutFailsItsParentsPromise() {
        for (boolean terminate : List.of(false, true)) {
            simulate(sim -> {
                Dormouse dormouse = open(sim, (ctx, input) -> {
                    Throwable failed = catchThrowable(child(ctx, "naps", "c", "PT1H")::get);
                    assertClear(failed, ErrorCode.CHILD_FAILED);
                    assertThat(failed).hasMessageContaining("because");
                    return "ok";
                });
                WorkflowHandle<String> handle = Scenario.start(dormouse);
                sim.advance(SECOND);
                WorkflowHandle<String> child = dormouse.find("c", String.class).orElseThrow();
                if (terminate) {
                    child.terminate("because");
                } else {
                    child.cancel("because");
                }
                assertThat(sim.result(handle)).isEqualTo("ok");
                assertThat(sim.elapsed()).isLessThan(MINUTE);
            });
        }
    }

    @Test
    void cancelOfAChildsPromiseCancelsTheChild() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                Promise<String> child = child(ctx, "cleans", "c", "");
                ctx.sleep(Duration.ofSeconds(10));
                child.cancel();
                Throwable failed = catchThrowable(child::get);
                ctx.sleep(MINUTE);
                return String.valueOf(failed != null);
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("true");
            assertThat(sim.log()).containsExactly("cleaned");
            assertThat(dormouse.find("c", String.class).orElseThrow().describe().status())
                    .isEqualTo(RunStatus.CANCELLED);
        });
    }

    @Test
    void cancelOfTheParentCancelsTheChildItAwaits() {
        simulate(sim -> {
            Dormouse dormouse =
                    open(sim, (ctx, input) -> child(ctx, "cleans", "c", "").get());
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(SECOND);
            handle.cancel("enough");
            assertClear(sim.failure(handle), ErrorCode.RUN_CANCELLED);
            WorkflowHandle<String> child = dormouse.find("c", String.class).orElseThrow();
            sim.await("the child's end", () -> child.describe().status().isClosed());
            assertThat(child.describe().status()).isIn(RunStatus.CANCELLED, RunStatus.TERMINATED);
        });
    }

    private enum End {
        COMPLETED,
        FAILED,
        CANCELLED,
        TERMINATED,
        TIMED_OUT
    }

    private static void parentEnds(ChildOptions options, RunStatus expected, boolean goesOn, End... ends) {
        for (End end : ends) {
            for (boolean killed : List.of(false, true)) {
                simulate(sim -> {
                    WorkflowFunction<String, String> code = (ctx, input) -> {
                        ctx.child("naps", "c", options, String.class, "PT30M");
                        ctx.newDetachedCancellationScope(() -> ctx.sleep(Duration.ofSeconds(20)))
                                .run();
                        if (end == End.FAILED) {
                            throw new IllegalStateException("x");
                        } else if (end != End.COMPLETED) {
                            ctx.sleep(HOUR);
                        }
                        return "";
                    };
                    Dormouse one = open(sim, code);
                    StartOptions start = end == End.TIMED_OUT
                            ? StartOptions.DEFAULT.withExecutionTimeout(Duration.ofSeconds(20))
                            : StartOptions.DEFAULT;
                    WorkflowHandle<String> there = one.start("w", "w", start, String.class, "");
                    sim.advance(Duration.ofSeconds(10));
                    if (end == End.CANCELLED) {
                        there.cancel("x");
                    } else if (end == End.TERMINATED) {
                        there.terminate("x");
                    }
                    if (killed) {
                        sim.kill(one);
                    }
                    Dormouse two = open(sim, code);
                    WorkflowHandle<String> parent = two.find("w", String.class).orElseThrow();
                    sim.await("its end", () -> parent.describe().status().isClosed());
                    assertThat(parent.describe().status().name()).isEqualTo(end.name());
                    sim.advance(Duration.ofMinutes(2));
                    WorkflowHandle<String> child = two.find("c", String.class).orElseThrow();
                    assertThat(child.describe().status())
                            .as(options + " of a parent that is " + end + (killed ? ", killed" : ""))
                            .isEqualTo(goesOn ? RunStatus.WAITING : expected);
                    if (goesOn) {
                        assertThat(sim.result(child)).isEqualTo("napped PT30M");
                    }
                });
            }
        }
    }

    @Test
    void childIsTerminatedWithItsParentHoweverThatEnds() {
        parentEnds(
                ChildOptions.DEFAULT,
                RunStatus.TERMINATED,
                false,
                End.COMPLETED,
                End.FAILED,
                End.TERMINATED,
                End.TIMED_OUT);
        parentEnds(ChildOptions.DEFAULT, RunStatus.CANCELLED, false, End.CANCELLED);
    }

    @Test
    void childIsCancelledWithItsParentHoweverThatEnds() {
        parentEnds(
                ChildOptions.DEFAULT.withParentClosePolicy(ParentClosePolicy.CANCEL),
                RunStatus.CANCELLED,
                false,
                End.values());
    }

    @Test
    void abandonedChildContinuesWhenItsParentEnds() {
        parentEnds(
                ChildOptions.DEFAULT.withParentClosePolicy(ParentClosePolicy.ABANDON),
                RunStatus.COMPLETED,
                true,
                End.COMPLETED,
                End.FAILED,
                End.TERMINATED,
                End.TIMED_OUT);
    }

    @Test
    void abandonedChildContinuesWhenItsParentIsCancelled() {
        parentEnds(
                ChildOptions.DEFAULT.withParentClosePolicy(ParentClosePolicy.ABANDON),
                RunStatus.COMPLETED,
                true,
                End.CANCELLED);
    }

    @Test
    void childWhoseIdIsTakenFailsAndTheOtherRunIsUnharmed() {
        for (boolean open : List.of(true, false)) {
            simulate(sim -> {
                Dormouse dormouse = open(sim, (ctx, input) -> {
                    Throwable failed = catchThrowable(child(ctx, "naps", "c", "PT1S")::get);
                    assertClear(failed, ErrorCode.CHILD_FAILED);
                    assertThat(failed).hasMessageContaining(ErrorCode.WORKFLOW_ID_TAKEN.label());
                    return "taken";
                });
                WorkflowHandle<String> other = dormouse.start("naps", "c", String.class, open ? "PT10M" : "PT2S");
                sim.advance(Duration.ofSeconds(10));
                assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("taken");
                sim.advance(MINUTE);
                assertThat(other.describe().status()).isEqualTo(open ? RunStatus.WAITING : RunStatus.COMPLETED);
                assertThat(sim.result(other)).startsWith("napped");
            });
        }
    }

    @Test
    void childOfATypeThatOnlyAnotherNodeKnowsRunsThere() {
        simulate(sim -> {
            Dormouse one = Scenario.open(
                    sim, (ctx, input) -> child(ctx, "naps", "c", "PT20S").get());
            WorkflowHandle<String> handle = Scenario.start(one);
            sim.advance(HOUR);
            assertThat(handle.describe().status()).isEqualTo(RunStatus.WAITING);
            Dormouse two = sim.open(children(sim));
            Duration before = sim.elapsed();
            assertThat(sim.result(handle)).isEqualTo("napped PT20S");
            assertThat(sim.elapsed().minus(before)).isLessThan(Duration.ofSeconds(35));
            two.close();
        });
    }
}
