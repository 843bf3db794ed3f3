package dev.dormouse.replay;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Activity;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.Promise;
import dev.dormouse.StartOptions;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Box;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
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

    // ---- runs that are between their last recorded event and their next input

    /** Two steps, between which newer code asks for a version, and a wait. */
    private static final class Letters extends Box.Open {
        private final SimulatedDormouse sim;
        private final boolean isNew;
        private final Duration length;
        private int version = -1;

        Letters(SimulatedDormouse sim, boolean isNew, Duration length) {
            this.sim = sim;
            this.isNew = isNew;
            this.length = length;
        }

        @Override
        public String run(String input) {
            Workflow.step("send", () -> sim.log("letter " + Activity.idempotencyKey()));
            version = isNew ? Workflow.version("terms", 0, 1) : -1;
            if (version == 1) {
                Workflow.step("send", () -> sim.log("terms"));
            }
            if (!length.isZero()) {
                Workflow.step("send", () -> {
                    sim.log("long " + Activity.idempotencyKey());
                    sim.advance(length);
                });
            }
            boolean inTime = Workflow.await(HOUR, () -> ended);
            return "v" + version + (inTime ? " ended" : " late");
        }

        @Override
        public String look(String at) {
            return "v" + version;
        }
    }

    private static Dormouse letters(SimulatedDormouse sim, boolean isNew, Duration length) {
        return sim.open(node -> node.workflow(Box.class, () -> new Letters(sim, isNew, length)));
    }

    @Test
    void runInItsFirstWaitHasPassedTheLineBeforeIt() {
        simulate(sim -> {
            Dormouse one = letters(sim, false, Duration.ZERO);
            Box box = one.workflow(Box.class, "b");
            one.start(() -> box.run(""));
            sim.advance(HOUR.dividedBy(4));
            one.close();
            Dormouse two = letters(sim, true, Duration.ZERO);
            Box again = two.workflow(Box.class, "b");
            assertThat(again.look("")).isEqualTo("v0");
            again.put("a message, so that the code runs up to the wait");
            sim.advance(HOUR.dividedBy(4));
            two.close();
            Dormouse three = letters(sim, true, Duration.ZERO);
            assertThat(three.workflow(Box.class, "b").look("")).isEqualTo("v0");
            three.workflow(Box.class, "b").end();
            WorkflowHandle<String> handle = three.find("b", String.class).orElseThrow();
            assertThat(sim.result(handle)).isEqualTo("v0 ended");
            assertThat(sim.log()).hasSize(1);
            assertThat(handle.history()).noneMatch(event -> event.kind().equals("VersionMarked"));
        });
    }

    @Test
    void runInItsFirstWaitHasPassedTheLineIfNothingIsRecordedButItsStart() {
        simulate(sim -> {
            Dormouse one = sim.open(node -> code(node, (ctx, input) -> {
                ctx.await(() -> ctx.now().isAfter(Instant.EPOCH) && input.equals("never"));
                return "old";
            }));
            one.start("w", "w", String.class, "");
            sim.advance(HOUR);
            one.close();
            int[] version = {-1};
            Dormouse two = sim.open(node -> code(node, (ctx, input) -> {
                version[0] = ctx.version("c", 1, 2);
                ctx.await(() -> input.equals("never"));
                return "new";
            }));
            two.find("w", String.class).orElseThrow().signal("anything");
            sim.await("the code to run", () -> version[0] >= 0);
            assertThat(version[0]).isEqualTo(1);
        });
    }

    @Test
    void stepInFlightAtACrashHasPassedTheLineAndKeepsItsIdempotencyKey() {
        simulate(sim -> {
            Dormouse one = letters(sim, false, HOUR.dividedBy(2));
            Box box = one.workflow(Box.class, "b");
            one.start(() -> box.run(""));
            sim.advance(Duration.ofSeconds(5));
            sim.kill(one);
            Dormouse two = letters(sim, true, Duration.ofSeconds(1));
            assertThat(sim.result(two.find("b", String.class).orElseThrow())).isEqualTo("v0 late");
            assertThat(sim.log()).hasSize(3);
            assertThat(sim.log().get(2)).startsWith("long").isEqualTo(sim.log().get(1));
        });
    }

    @Test
    void firstStepInFlightAtACrashHasPassedTheLineAndKeepsItsIdempotencyKey() {
        simulate(sim -> {
            WorkflowFunction<String, String> old = (ctx, input) -> {
                ctx.step("first", () -> {
                    sim.log(Activity.idempotencyKey());
                    sim.advance(HOUR);
                });
                return "old";
            };
            Dormouse one = sim.open(node -> code(node, old));
            one.start("w", "w", String.class, "");
            sim.advance(Duration.ofSeconds(5));
            sim.kill(one);
            Dormouse two = sim.open(node -> code(node, (ctx, input) -> {
                int version = ctx.version("c", 1, 2);
                if (version == 2) {
                    ctx.step("first", () -> sim.log("new"));
                }
                ctx.step("first", () -> sim.log(Activity.idempotencyKey()));
                return "v" + version;
            }));
            assertThat(sim.result(two.find("w", String.class).orElseThrow())).isEqualTo("v1");
            assertThat(sim.log()).hasSize(2);
            assertThat(sim.log().get(1)).isEqualTo(sim.log().get(0));
        });
    }

    @Test
    void freshRunUsesTheNewVersionWhileQueriedAndAfterACrash() {
        simulate(sim -> {
            Dormouse one = letters(sim, true, HOUR.dividedBy(2));
            Box box = one.workflow(Box.class, "b");
            one.start(() -> box.run(""));
            sim.advance(Duration.ofSeconds(5));
            assertThat(box.look("")).isEqualTo("v1");
            sim.kill(one);
            Dormouse two = letters(sim, true, Duration.ofSeconds(1));
            assertThat(sim.result(two.find("b", String.class).orElseThrow())).isEqualTo("v1 late");
            assertThat(sim.count("terms")).isEqualTo(1);
        });
    }

    @Test
    void runThatWasOnlyStartedUsesTheNewVersion() {
        simulate(sim -> {
            Dormouse starter = sim.open(DormouseBuilder::anyRemoteWorkflow);
            starter.start("w", "now", String.class, "");
            starter.start("w", "later", StartOptions.DEFAULT.withStartDelay(HOUR), String.class, "");
            sim.advance(HOUR.dividedBy(2));
            Dormouse two = sim.open(node -> code(node, (ctx, input) -> "v" + ctx.version("c", 1, 2)));
            assertThat(sim.result(two.find("now", String.class).orElseThrow())).isEqualTo("v2");
            assertThat(sim.result(two.find("later", String.class).orElseThrow()))
                    .isEqualTo("v2");
        });
    }

    @Test
    void handlerOfANewSignalUsesTheNewVersionAndAnOlderCoroutineTheOldOne() {
        simulate(sim -> {
            Dormouse one = sim.open(node -> node.workflow(Box.class, () -> new Box.Open() {
                @Override
                public String run(String input) {
                    Promise<@Nullable Void> other = Workflow.async(() -> Workflow.await(() -> ended));
                    Workflow.await(() -> ended);
                    other.get();
                    return "old";
                }
            }));
            Box box = one.workflow(Box.class, "b");
            one.start(() -> box.run(""));
            box.put("read by the old code");
            sim.advance(HOUR);
            one.close();
            Dormouse two = sim.open(node -> node.workflow(Box.class, () -> new Box.Open() {
                @Override
                public String run(String input) {
                    Promise<@Nullable Void> other = Workflow.async(() -> {
                        seen.add("coroutine " + Workflow.version("coroutine", 1, 2));
                        Workflow.await(() -> ended);
                    });
                    Workflow.await(() -> ended);
                    other.get();
                    return String.join(", ", seen);
                }

                @Override
                public void put(String text) {
                    seen.add("old signal " + Workflow.version("put", 1, 2));
                }

                @Override
                public void end() {
                    ended = true;
                    seen.add("new signal " + Workflow.version("end", 1, 2));
                }
            }));
            two.workflow(Box.class, "b").end();
            assertThat(sim.result(two.find("b", String.class).orElseThrow()))
                    .contains("coroutine 1", "old signal 1", "new signal 2");
        });
    }

    @Test
    void replacementRunUsesTheNewVersionAfterTheSharedEvents() {
        simulate(sim -> {
            Dormouse one = letters(sim, false, Duration.ZERO);
            Box box = one.workflow(Box.class, "b");
            one.start(() -> box.run(""));
            sim.advance(HOUR.dividedBy(4));
            one.close();
            Dormouse two = letters(sim, true, Duration.ZERO);
            WorkflowHandle<String> afterTheLetter =
                    two.find("b", String.class).orElseThrow().reset(2);
            assertThat(sim.result(afterTheLetter)).isEqualTo("v1 late");
            assertThat(afterTheLetter.history()).anyMatch(event -> event.kind().equals("VersionMarked"));
            WorkflowHandle<String> fromTheStart = afterTheLetter.reset(1);
            sim.advance(HOUR.dividedBy(4));
            two.close();
            Dormouse three = letters(sim, true, Duration.ZERO);
            assertThat(sim.result(three.find("b", String.class).orElseThrow())).isEqualTo("v1 late");
            assertThat(fromTheStart.workflowId()).isEqualTo("b");
            assertThat(sim.count("terms")).isEqualTo(2);
        });
    }
}
