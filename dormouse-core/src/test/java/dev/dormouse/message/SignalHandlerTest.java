package dev.dormouse.message;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Box;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Signal handlers, and failures in them that must not harm the run. */
class SignalHandlerTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private static Dormouse open(SimulatedDormouse sim, Supplier<Box> code) {
        return sim.open(node -> SimulatedDormouse.echo(node).workflow(Box.class, code));
    }

    /** A box whose handler executes the given code first. */
    private static Supplier<Box> handling(Consumer<String> first) {
        return () -> new Box.Open() {
            @Override
            public void put(String text) {
                first.accept(text);
                super.put(text);
            }
        };
    }

    private static WorkflowHandle<String> start(Dormouse dormouse) {
        Box box = dormouse.workflow(Box.class, "b");
        return dormouse.start(() -> box.run("x"));
    }

    /** The second of three signals makes the handler throw; the other two count. */
    private static void assertHarmless(Consumer<String> thrower) {
        simulate(sim -> {
            Dormouse dormouse = open(sim, handling(text -> {
                if (text.equals("bad")) {
                    thrower.accept(text);
                }
            }));
            WorkflowHandle<String> handle = start(dormouse);
            handle.signal("put", "a");
            handle.signal("put", "bad");
            sim.advance(HOUR);
            assertThat(handle.describe().trouble()).isEmpty();
            assertThat(handle.describe().status()).isEqualTo(RunStatus.WAITING);
            handle.signal("put", "c");
            sim.kill(dormouse);
            Dormouse second = open(sim, handling(text -> {
                if (text.equals("bad")) {
                    thrower.accept(text);
                }
            }));
            WorkflowHandle<String> there = second.find("b", String.class).orElseThrow();
            there.signal("end");
            assertThat(sim.result(there)).isEqualTo("a,c");
            sim.assertStillWorks(second);
        });
    }

    @Test
    void handlerThatThrowsDoesNotHarmTheRun() {
        assertHarmless(text -> {
            throw new IllegalStateException("no");
        });
    }

    @Test
    void handlerThatThrowsSomethingThatCannotBeLoggedDoesNotHarmTheRun() {
        assertHarmless(text -> {
            throw new StrangeException();
        });
    }

    @Test
    void handlerThatThrowsAnErrorDoesNotHarmTheRun() {
        assertHarmless(text -> {
            throw new AssertionError("no");
        });
    }

    @Test
    void handlerThatOverflowsTheStackDoesNotHarmTheRun() {
        assertHarmless(SignalHandlerTest::recurse);
    }

    private static void recurse(String text) {
        if (!text.isEmpty()) {
            recurse(text);
        }
    }

    /** An exception whose {@code getMessage} throws. */
    private static final class StrangeException extends RuntimeException {
        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }

    @Test
    void handlerThatContinuesAsNewIsRefusedAndDoesNotHarmTheRun() {
        assertHarmless(text -> Workflow.continueAsNew("again"));
    }

    @Test
    void handlerThatAsksTheOutsideWorldByAStubDoesNotHarmTheRun() {
        simulate(sim -> {
            Dormouse[] dormouse = {null};
            dormouse[0] = open(sim, handling(text -> {
                Throwable problem = catchThrowable(
                        () -> dormouse[0].workflow(Box.class, "b").seen());
                sim.log("" + problem);
            }));
            WorkflowHandle<String> handle = start(dormouse[0]);
            handle.signal("put", "a");
            handle.signal("end");
            assertThat(sim.result(handle)).isEqualTo("a");
        });
    }

    @Test
    void handlersThatWaitOverlapAndTheRunDoesNotWaitForThem() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, handling(text -> Workflow.sleep(HOUR.multipliedBy(Long.parseLong(text)))));
            WorkflowHandle<String> handle = start(dormouse);
            for (int hours : new int[] {5, 3, 1, 4, 2}) {
                handle.signal("put", "" + hours);
                sim.advance(Duration.ofMinutes(1));
            }
            sim.advance(HOUR.multipliedBy(3).plusMinutes(10));
            handle.signal("end");
            assertThat(sim.result(handle)).isEqualTo("1,2,3");
            assertThat(sim.elapsed()).isLessThan(HOUR.multipliedBy(4));
        });
    }

    @Test
    void handlersThatWaitInManyWaysSurviveKillsAndTakeEachStepOnce() {
        simulate(sim -> {
            Supplier<Box> code = handling(text -> {
                Workflow.step("one " + text, () -> sim.log("one " + text));
                Workflow.sleep(Duration.ofSeconds(2));
                Workflow.step("two " + text, () -> sim.log("two " + text));
                Workflow.sleep(HOUR);
                Workflow.await(Duration.ofSeconds(30), () -> false);
                Workflow.step("three " + text, () -> sim.log("three " + text));
            });
            Dormouse dormouse = open(sim, code);
            WorkflowHandle<String> handle = start(dormouse);
            for (String text : List.of("a", "b", "c", "d", "e")) {
                handle.signal("put", text);
            }
            sim.advance(Duration.ofMinutes(20));
            sim.kill(dormouse);
            Dormouse second = open(sim, code);
            sim.advance(HOUR.multipliedBy(2));
            WorkflowHandle<String> there = second.find("b", String.class).orElseThrow();
            there.signal("end");
            assertThat(sim.result(there).split(",")).containsExactlyInAnyOrder("a", "b", "c", "d", "e");
            for (String text : List.of("a", "b", "c", "d", "e")) {
                assertThat(sim.count("one " + text)).isEqualTo(1);
                assertThat(sim.count("two " + text)).isEqualTo(1);
                assertThat(sim.count("three " + text)).isEqualTo(1);
            }
        });
    }

    @Test
    void handlerThatSwallowsEverythingWhileItIsEvictedTakesTheRightWayAfterwards() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, () -> new Box.Open() {
                @Override
                public void put(String text) {
                    try {
                        Workflow.sleep(HOUR);
                        seen.add("slept");
                    } catch (Throwable swallowed) {
                        seen.add("swallowed");
                        ended = true;
                    }
                }
            });
            WorkflowHandle<String> handle = start(dormouse);
            handle.signal("put", "a");
            sim.advance(HOUR.multipliedBy(2));
            handle.signal("end");
            assertThat(sim.result(handle)).isEqualTo("slept");
        });
    }

    @Test
    void handlersThatAreNotDoneWhenTheRunContinuesAsNewAreGone() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, () -> new Box.Open() {
                @Override
                public String run(String input) {
                    Workflow.await(HOUR, () -> ended);
                    if (input.equals("x")) {
                        Workflow.continueAsNew("second");
                    }
                    return input + seen;
                }

                @Override
                public void put(String text) {
                    Workflow.sleep(HOUR.plusMinutes(30));
                    seen.add(text);
                }
            });
            WorkflowHandle<String> handle = start(dormouse);
            handle.signal("put", "a");
            sim.await(
                    "the second run",
                    () -> !dormouse.find("b", String.class)
                            .orElseThrow()
                            .runId()
                            .equals(handle.runId()));
            WorkflowHandle<String> second = dormouse.find("b", String.class).orElseThrow();
            assertThat(sim.result(second)).isEqualTo("second[]");
        });
    }
}
