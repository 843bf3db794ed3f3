package dev.dormouse.replay;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Code changes while runs are open. */
class VersionTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private static DormouseBuilder code(DormouseBuilder builder, WorkflowFunction<String, String> code) {
        return builder.workflow("w", String.class, String.class, code);
    }

    private static String oldCode(SimulatedDormouse sim, WorkflowContext ctx) {
        ctx.step("a", () -> sim.log("a"));
        ctx.sleep(HOUR);
        ctx.step("b", () -> sim.log("b"));
        ctx.sleep(HOUR);
        return "old";
    }

    /** Runs the old code for a while, then continues with the new code. */
    private static String upgrade(SimulatedDormouse sim, Duration after, WorkflowFunction<String, String> newCode) {
        Dormouse one = sim.open(node -> code(node, (ctx, input) -> oldCode(sim, ctx)));
        one.start("w", "w", String.class, "");
        sim.advance(after);
        one.close();
        Dormouse two = sim.open(node -> code(node, newCode));
        return sim.result(two.find("w", String.class).orElseThrow());
    }

    @Test
    void newRunGoesByTheNewestVersionInReplayToo() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> code(node, (ctx, input) -> {
                int first = ctx.version("c", 1, 3);
                ctx.sleep(HOUR);
                int second = ctx.version("c", 1, 3);
                return first + " " + second;
            }));
            assertThat(sim.result(dormouse.start("w", "w", String.class, ""))).isEqualTo("3 3");
        });
    }

    @Test
    void runKeepsItsVersionWhenTheCodeMovesOn() {
        simulate(sim -> {
            Dormouse one = sim.open(node -> code(node, (ctx, input) -> {
                int version = ctx.version("c", 1, 2);
                ctx.sleep(HOUR);
                return "v" + version;
            }));
            one.start("w", "w", String.class, "");
            sim.advance(HOUR.dividedBy(2));
            one.close();
            Dormouse two = sim.open(node -> code(node, (ctx, input) -> {
                int version = ctx.version("c", 1, 7);
                ctx.sleep(HOUR);
                return "v" + version + ctx.version("c", 1, 7);
            }));
            assertThat(sim.result(two.find("w", String.class).orElseThrow())).isEqualTo("v22");
            assertThat(sim.result(two.start("w", "new", String.class, ""))).isEqualTo("v77");
        });
    }

    @Test
    void runThatHadPassedTheLineGoesByTheOldVersion() {
        simulate(sim -> {
            String result = upgrade(sim, HOUR.dividedBy(2), (ctx, input) -> {
                int version = ctx.version("c", 1, 2);
                if (version == 1) {
                    ctx.step("a", () -> sim.log("a again"));
                } else {
                    ctx.step("a2", () -> sim.log("a2"));
                }
                ctx.sleep(HOUR);
                ctx.step("b", () -> sim.log("b"));
                ctx.sleep(HOUR);
                return "v" + version + ctx.version("c", 1, 2);
            });
            assertThat(result).isEqualTo("v11");
            assertThat(sim.log()).containsExactly("a", "b");
        });
    }

    @Test
    void runThatHadPassedTheLineByASleepOnlyGoesByTheOldVersion() {
        simulate(sim -> {
            String result = upgrade(sim, HOUR.dividedBy(2), (ctx, input) -> {
                ctx.step("a", () -> sim.log("a again"));
                int version = ctx.version("c", 1, 2);
                ctx.sleep(HOUR);
                ctx.step("b", () -> sim.log("b"));
                ctx.sleep(HOUR);
                return "v" + version;
            });
            assertThat(result).isEqualTo("v1");
        });
    }

    @Test
    void runThatHadNotReachedTheLineUsesTheNewVersion() {
        simulate(sim -> {
            String result = upgrade(sim, HOUR.dividedBy(2), (ctx, input) -> {
                ctx.step("a", () -> sim.log("a again"));
                ctx.sleep(HOUR);
                int version = ctx.version("c", 1, 2);
                ctx.step(version == 1 ? "b" : "b2", () -> sim.log("b" + version));
                ctx.sleep(HOUR);
                return "v" + version + ctx.version("c", 1, 2);
            });
            assertThat(result).isEqualTo("v22");
            assertThat(sim.log()).containsExactly("a", "b2");
        });
    }

    @Test
    void oldAndNewChangesAreDistinguishedByName() {
        simulate(sim -> {
            String result = upgrade(sim, HOUR.multipliedBy(3).dividedBy(2), (ctx, input) -> {
                int first = ctx.version("first", -1, 5);
                ctx.step("a", () -> sim.log("a again"));
                ctx.sleep(HOUR);
                ctx.step("b", () -> sim.log("b again"));
                ctx.sleep(HOUR);
                int second = ctx.version("second", 0, 9);
                ctx.sleep(HOUR);
                return first + " " + second + " " + ctx.version("first", -1, 5);
            });
            assertThat(result).isEqualTo("-1 9 -1");
        });
    }

    @Test
    void codeThatNoLongerKnowsTheVersionIsStoppedUntilCodeThatDoesIsBack() {
        simulate(sim -> {
            WorkflowFunction<String, String> knows = (ctx, input) -> {
                int version = ctx.version("c", 1, 2);
                ctx.sleep(HOUR);
                return "v" + version;
            };
            Dormouse one = sim.open(node -> code(node, knows));
            one.start("w", "w", String.class, "");
            sim.advance(HOUR.dividedBy(2));
            one.close();
            Dormouse two = sim.open(node -> code(node, (ctx, input) -> {
                int version = ctx.version("c", 3, 4);
                ctx.sleep(HOUR);
                return "v" + version;
            }));
            WorkflowHandle<String> handle = two.find("w", String.class).orElseThrow();
            sim.awaitStatus(handle, RunStatus.STUCK);
            assertClear(handle.describe().trouble(), ErrorCode.CODE_DOES_NOT_MATCH);
            assertThat(handle.describe().trouble()).contains("version 2 of change 'c'");
            two.close();
            Dormouse three = sim.open(node -> code(node, knows));
            assertThat(sim.result(three.find("w", String.class).orElseThrow())).isEqualTo("v2");
        });
    }

    @Test
    void versionBeforeTheFirstSideEffectIsKeptAcrossACrashInIt() {
        simulate(sim -> {
            Dormouse one = sim.open(node -> code(node, (ctx, input) -> {
                int version = ctx.version("c", 1, 2);
                ctx.step("s" + version, () -> {
                    sim.log("v" + version);
                    sim.advance(HOUR);
                });
                return "v" + version;
            }));
            one.start("w", "w", String.class, "");
            sim.advance(Duration.ofSeconds(5));
            sim.kill(one);
            Dormouse two = sim.open(node -> code(node, (ctx, input) -> {
                int version = ctx.version("c", 1, 3);
                ctx.step("s" + version, () -> sim.log("v" + version));
                return "v" + version;
            }));
            assertThat(sim.result(two.find("w", String.class).orElseThrow())).isEqualTo("v2");
            assertThat(sim.log()).containsExactly("v2", "v2");
        });
    }
}
