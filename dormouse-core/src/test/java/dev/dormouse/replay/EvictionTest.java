package dev.dormouse.replay;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Eviction during long sleeps: effects of the unwinding code do not count. */
class EvictionTest {
    private static final Duration HOUR = Duration.ofHours(1);

    interface Bell {
        void ring();
    }

    private static Dormouse open(SimulatedDormouse sim, WorkflowFunction<String, String> code) {
        return sim.open(node -> SimulatedDormouse.echo(node)
                .workflow("w", String.class, String.class, code)
                .activities(Bell.class, () -> sim.log("ring")));
    }

    private static String run(SimulatedDormouse sim, WorkflowFunction<String, String> code) {
        Dormouse dormouse = open(sim, code);
        String result = sim.result(dormouse.start("w", "w", String.class, ""));
        sim.assertStillWorks(dormouse);
        return result;
    }

    @Test
    void exceptionThrownWhileUnwindingIsDiscarded() {
        simulate(sim -> {
            String result = run(sim, (ctx, input) -> {
                boolean slept = false;
                try {
                    ctx.sleep(HOUR);
                    slept = true;
                } finally {
                    if (!slept) {
                        sim.log("unwinding");
                        throwSomething();
                    }
                }
                return "done";
            });
            assertThat(result).isEqualTo("done");
            assertThat(sim.log()).contains("unwinding");
        });
    }

    private static void throwSomething() {
        throw new IllegalStateException("while unwinding");
    }

    @Test
    void errorThrownWhileUnwindingIsDiscarded() {
        simulate(sim -> {
            String result = run(sim, (ctx, input) -> {
                boolean slept = false;
                try {
                    ctx.sleep(HOUR);
                    slept = true;
                } finally {
                    if (!slept) {
                        sim.log("unwinding");
                        throwSomeError();
                    }
                }
                return "done";
            });
            assertThat(result).isEqualTo("done");
            assertThat(sim.log()).contains("unwinding");
        });
    }

    private static void throwSomeError() {
        throw new AssertionError("while unwinding");
    }

    @Test
    void resultReturnedWhileUnwindingIsDiscarded() {
        simulate(sim -> {
            String result = run(sim, (ctx, input) -> {
                try {
                    ctx.sleep(HOUR);
                } catch (Throwable swallowed) {
                    return "too soon";
                }
                return "done";
            });
            assertThat(result).isEqualTo("done");
        });
    }

    @Test
    void finallyBlocksCanCallNothingOfWorkflow() {
        simulate(sim -> {
            List<String> went = new ArrayList<>();
            String result = run(sim, (ctx, input) -> {
                boolean[] slept = {false};
                Bell bell = ctx.activities(Bell.class);
                try {
                    ctx.sleep(HOUR);
                    slept[0] = true;
                } finally {
                    if (!slept[0]) {
                        attempt(went, "step", () -> ctx.step("in finally", () -> sim.log("effect")));
                        attempt(went, "static step", () -> Workflow.step("in finally", () -> sim.log("effect")));
                        attempt(went, "activity", bell::ring);
                        attempt(went, "sleep", () -> ctx.sleep(Duration.ofSeconds(1)));
                        attempt(went, "no sleep", () -> ctx.sleep(Duration.ZERO));
                        attempt(went, "sleepUntil", () -> Workflow.sleepUntil(sim.now()));
                        attempt(went, "version", () -> ctx.version("x", 1, 2));
                        attempt(went, "randomUuid", ctx::randomUuid);
                    }
                }
                return "done";
            });
            assertThat(result).isEqualTo("done");
            assertThat(went).isEmpty();
            assertThat(sim.log()).isEmpty();
        });
    }

    private static void attempt(List<String> went, String what, Runnable call) {
        try {
            call.run();
            went.add(what);
        } catch (Throwable expected) {
            // continues with the next
        }
    }

    @Test
    void codeThatSwallowsEverythingAroundASleepTakesTheRightWayAfterIt() {
        simulate(sim -> {
            String result = run(sim, (ctx, input) -> {
                try {
                    ctx.sleep(HOUR);
                    ctx.step("slept", () -> sim.log("slept"));
                } catch (Throwable swallowed) {
                    ctx.step("recover", () -> sim.log("recovered"));
                }
                for (int i = 0; i < 3; i++) {
                    int number = i;
                    try {
                        ctx.step("s" + i, () -> sim.log("s" + number));
                        ctx.sleep(HOUR);
                    } catch (Throwable swallowed) {
                        // on with the next
                    }
                }
                return "done";
            });
            assertThat(result).isEqualTo("done");
            assertThat(sim.log()).containsExactly("slept", "s0", "s1", "s2");
        });
    }

    @Test
    void codeThatSwallowsItsTerminationHasNoMoreEffect() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                for (int i = 0; i < 50; i++) {
                    int number = i;
                    try {
                        ctx.step("s" + i, () -> {
                            sim.log("s" + number);
                            sim.advance(Duration.ofSeconds(10));
                        });
                    } catch (Throwable swallowed) {
                        sim.log("swallowed");
                    }
                }
                return "done";
            });
            WorkflowHandle<String> handle = dormouse.start("w", "w", String.class, "");
            sim.advance(Duration.ofSeconds(25));
            assertThat(handle.terminate("enough")).isTrue();
            sim.advance(HOUR);
            assertThat(sim.log()).filteredOn(line -> !line.equals("swallowed")).containsExactly("s0", "s1", "s2");
            assertThat(handle.describe().status()).isEqualTo(RunStatus.TERMINATED);
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void codeThatLostItsLeaseWhilePausedHasNoMoreEffect() {
        simulate(sim -> {
            WorkflowFunction<String, String> code = (ctx, input) -> {
                for (int i = 0; i < 5; i++) {
                    int number = i;
                    try {
                        ctx.step("s" + i, () -> {
                            sim.log("s" + number);
                            sim.advance(Duration.ofSeconds(20));
                        });
                    } catch (Throwable swallowed) {
                        sim.log("swallowed");
                    }
                }
                return "done";
            };
            Dormouse one = open(sim, code);
            one.start("w", "w", String.class, "");
            sim.advance(Duration.ofSeconds(30));
            sim.pause(one);
            Dormouse two = open(sim, code);
            sim.advance(Duration.ofMinutes(1));
            sim.resume(one);
            assertThat(sim.result(two.find("w", String.class).orElseThrow())).isEqualTo("done");
            sim.advance(HOUR);
            assertThat(sim.log())
                    .filteredOn(line -> !line.equals("swallowed"))
                    .containsExactly("s0", "s1", "s1", "s2", "s3", "s4");
        });
    }

    @Test
    void fieldsOfOneExecutionAreNotSeenByTheNext() {
        simulate(sim -> {
            String result = run(sim, (ctx, input) -> {
                StringBuilder state = new StringBuilder();
                for (int i = 0; i < 4; i++) {
                    state.append(ctx.step("s", String.class, () -> "x"));
                    ctx.sleep(HOUR);
                }
                return state.toString();
            });
            assertThat(result).isEqualTo("xxxx");
        });
    }

    @Test
    void manyRunsThatSleepLeaveNoThreadBehind() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                ctx.sleep(HOUR);
                return "done";
            });
            for (int i = 0; i < 200; i++) {
                dormouse.start("w", "w-" + i, String.class, "");
            }
            sim.advance(Duration.ofMinutes(1));
            assertThat(sim.threads("run ")).isZero();
            assertThat(sim.result(dormouse.find("w-199", String.class).orElseThrow()))
                    .isEqualTo("done");
        });
    }
}
