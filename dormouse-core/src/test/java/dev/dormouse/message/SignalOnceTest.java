package dev.dormouse.message;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Box;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Signals with a key, which count once no matter how often they are sent. */
class SignalOnceTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static Dormouse open(SimulatedDormouse sim) {
        return open(sim, Box.Open::new);
    }

    private static Dormouse open(SimulatedDormouse sim, Supplier<Box> code) {
        return sim.open(node -> node.workflow(Box.class, code));
    }

    private static WorkflowHandle<String> start(Dormouse dormouse, String id) {
        Box box = dormouse.workflow(Box.class, id);
        return dormouse.start(() -> box.run("x"));
    }

    @Test
    void sameKeyCountsOnceAndTheFirstContentWins() {
        simulate(sim -> {
            WorkflowHandle<String> handle = start(open(sim), "b");
            handle.signalOnce("k", "put", "first");
            handle.signalOnce("k", "put", "second");
            handle.signalOnce("k", "add", 3);
            handle.signalOnce("other", "put", "third");
            handle.signal("put", "fourth");
            handle.signal("put", "fourth");
            handle.signal("end");
            assertThat(sim.result(handle)).isEqualTo("first,third,fourth,fourth");
        });
    }

    @Test
    void sameKeyOfAnotherWorkflowIdIsAnotherKey() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            for (String id : List.of("b1", "b2")) {
                WorkflowHandle<String> handle = start(dormouse, id);
                handle.signalOnce("k", "put", id);
                handle.signal("end");
                assertThat(sim.result(handle)).isEqualTo(id);
            }
        });
    }

    @Test
    void keysDifferInEveryCharacter() {
        simulate(sim -> {
            WorkflowHandle<String> handle = start(open(sim), "b");
            List<String> keys =
                    List.of("k", "K", "k ", " k", "kk", "\u00e4", "a\u0308", "\ud83d\ude00", "x".repeat(500), "'--");
            for (String key : keys) {
                handle.signalOnce(key, "add", keys.indexOf(key));
                handle.signalOnce(key, "add", keys.indexOf(key));
            }
            handle.signal("end");
            assertThat(sim.result(handle)).isEqualTo("0,1,2,3,4,5,6,7,8,9");
        });
    }

    @Test
    @Tag("simulation")
    void keyIsKnownLongAfterTheSignalWasConsumedAndAllNodesWereReplaced() {
        simulate(sim -> {
            Dormouse first = open(sim);
            start(first, "b").signalOnce("k", "put", "one");
            sim.advance(Duration.ofDays(2));
            sim.kill(first);
            WorkflowHandle<String> handle = open(sim).find("b", String.class).orElseThrow();
            handle.signalOnce("k", "put", "two");
            handle.signal("end");
            assertThat(sim.result(handle)).isEqualTo("one");
        });
    }

    @Test
    void keyIsKnownAcrossContinueAsNew() {
        simulate(sim -> {
            Supplier<Box> code = () -> new Box.Open() {
                @Override
                public String run(String input) {
                    Workflow.await(() -> !seen.isEmpty() || ended);
                    String all = input + "," + String.join(",", seen);
                    if (!ended) {
                        Workflow.continueAsNew(all);
                    }
                    return all;
                }
            };
            Dormouse dormouse = open(sim, code);
            WorkflowHandle<String> first = start(dormouse, "b");
            for (int i = 0; i < 3; i++) {
                for (int round = 0; round < 2; round++) {
                    first.signalOnce("k", "put", "k");
                    first.signalOnce("k" + i, "put", "k" + i);
                    sim.advance(MINUTE);
                }
            }
            first.signal("put", "last");
            first.signal("end");
            sim.await("the end", () -> latest(dormouse).describe().status() == RunStatus.COMPLETED);
            assertThat(sim.result(latest(dormouse)).replaceAll(",+", ",")).matches("x,k,k0,k1,k2,last,?");
        });
    }

    private static WorkflowHandle<String> latest(Dormouse dormouse) {
        return dormouse.find("b", String.class).orElseThrow();
    }

    @Test
    void manySendersOfOneKeyOnSeveralNodesAreOneSignal() {
        simulate(sim -> {
            Dormouse one = open(sim);
            Dormouse two = open(sim);
            Dormouse client = sim.open(node -> node.remoteWorkflow(Box.class));
            WorkflowHandle<String> handle = start(one, "b");
            int[] back = {0};
            for (int i = 0; i < 30; i++) {
                Dormouse sender = List.of(one, two, client).get(i % 3);
                String text = "k" + i % 5;
                sim.inBackground(() -> {
                    latest(sender).signalOnce(text, "put", text);
                    back[0]++;
                });
            }
            sim.await("all to be back", () -> back[0] == 30);
            handle.signal("end");
            assertThat(sim.result(handle).split(",")).containsExactlyInAnyOrder("k0", "k1", "k2", "k3", "k4");
        });
    }

    @Test
    void keyIsKnownWhereTheSenderDiedBeforeItHadAnAnswer() {
        simulate(sim -> {
            Dormouse worker = open(sim);
            WorkflowHandle<String> handle = start(worker, "b");
            for (int i = 0; i < 8; i++) {
                Dormouse sender = sim.open(node -> node.remoteWorkflow(Box.class));
                WorkflowHandle<String> there = latest(sender);
                String text = "" + i;
                sim.inBackground(() -> {
                    Throwable dead = catchThrowable(() -> there.signalOnce(text, "put", text));
                    sim.log("" + dead);
                });
                sim.advance(Duration.ofNanos(400_000L * i));
                sim.kill(sender);
                handle.signalOnce(text, "put", text);
            }
            sim.advance(MINUTE);
            handle.signal("end");
            assertThat(sim.result(handle)).isEqualTo("0,1,2,3,4,5,6,7");
        });
    }

    @Test
    void keyOfASignalIsNotAnIdOfAnUpdate() {
        simulate(sim -> {
            WorkflowHandle<String> handle = start(open(sim), "b");
            handle.signalOnce("k", "put", "signal");
            sim.advance(MINUTE);
            String answer = handle.updateOnce("k", MINUTE, "change", String.class, "update");
            assertThat(answer).isEqualTo("changed to update");
            handle.signalOnce("k", "put", "again");
            handle.signal("end");
            assertThat(sim.result(handle)).isEqualTo("signal,update");
        });
    }

    @Test
    void idOfAnUpdateIsNotAKeyOfASignal() {
        simulate(sim -> {
            WorkflowHandle<String> handle = start(open(sim), "b");
            handle.updateOnce("k", MINUTE, "change", String.class, "update");
            handle.signalOnce("k", "put", "signal");
            handle.signal("end");
            assertThat(sim.result(handle)).isEqualTo("update,signal");
        });
    }

    @Test
    void cancelRequestsAndKeysOfSignalsDoNotMeet() {
        simulate(sim -> {
            WorkflowHandle<String> handle = start(open(sim), "b");
            for (String key : List.of("cancel", "cancel/b", handle.runId().toString(), handle.runId() + "/cancel")) {
                handle.signalOnce(key, "put", "x");
            }
            handle.cancel("enough");
            assertClear(sim.failure(handle), ErrorCode.RUN_CANCELLED);
        });
    }

    @Test
    void repeatedKeyAfterTheCloseIsHarmlessOrRefusedButNeverSomethingElse() {
        simulate(sim -> {
            WorkflowHandle<String> handle = start(open(sim), "b");
            handle.signalOnce("k", "put", "one");
            handle.signal("end");
            assertThat(sim.result(handle)).isEqualTo("one");
            Throwable problem = catchThrowable(() -> handle.signalOnce("k", "put", "one"));
            if (problem != null) {
                assertClear(problem, ErrorCode.RUN_CLOSED);
            }
            assertClear(catchThrowable(() -> handle.signalOnce("new", "put", "one")), ErrorCode.RUN_CLOSED);
            assertThat(handle.history()).hasSize(handle.describe().historyLength());
        });
    }

    @Test
    void badKeysAreRefusedAndTheRunIsUnharmed() {
        simulate(sim -> {
            WorkflowHandle<String> handle = start(open(sim), "b");
            for (String key : List.of("", "a\0b", "\ud800", "x".repeat(501))) {
                assertClear(catchThrowable(() -> handle.signalOnce(key, "put", "x")), ErrorCode.BAD_ARGUMENT);
            }
            handle.signal("end");
            assertThat(sim.result(handle)).isEmpty();
        });
    }

    @Test
    void keyThatIsNullIsRefusedWithACode() {
        simulate(sim -> {
            WorkflowHandle<String> handle = start(open(sim), "b");
            assertThat(catchThrowable(() -> handle.signalOnce(null, "put", "x")))
                    .isInstanceOf(DormouseException.class);
        });
    }
}
