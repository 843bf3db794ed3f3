package dev.dormouse.workflow;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.Signal;
import dev.dormouse.UpdatableTimer;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Box;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Races of a signal with a deadline: the one that the store accepted first wins. */
class WhichCameFirstTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration TEN = MINUTE.multipliedBy(10);

    /** Ways to wait for the signal "end" until an instant; each returns true if the signal came first. */
    private static Map<String, Function<Box.Open, Function<Instant, Boolean>>> waits() {
        Map<String, Function<Box.Open, Function<Instant, Boolean>>> waits = new LinkedHashMap<>();
        waits.put("await instant", box -> end -> Workflow.await(end, () -> box.ended));
        waits.put(
                "await duration", box -> end -> Workflow.await(Duration.between(Workflow.now(), end), () -> box.ended));
        waits.put("updatable timer", box -> end -> Workflow.newUpdatableTimer().await(end, () -> box.ended));
        waits.put("timer", box -> end -> {
            Promise<Void> timer = Workflow.newTimer(Duration.between(Workflow.now(), end));
            Workflow.await(() -> box.ended || timer.isDone());
            return !timer.isDone();
        });
        waits.put("sleeping coroutine", box -> end -> {
            Promise<String> sleeper = Workflow.async(() -> {
                Workflow.sleepUntil(end);
                return "";
            });
            Workflow.await(() -> box.ended || sleeper.isDone());
            return !sleeper.isDone();
        });
        waits.put("promise", box -> end -> {
            Promise<String> told = Workflow.async(() -> {
                Workflow.await(() -> box.ended);
                return "";
            });
            return told.await(Duration.between(Workflow.now(), end));
        });
        waits.put("wait of a handler", box -> end -> {
            Workflow.await(end, () -> false);
            return box.ended;
        });
        return waits;
    }

    private static Supplier<Box> code(Function<Box.Open, Function<Instant, Boolean>> wait) {
        return () -> new Box.Open() {
            @Override
            public String run(String input) {
                return wait.apply(this).apply(Instant.parse(input)) ? "signal" : "deadline";
            }
        };
    }

    private static void assertFirst(
            String how, Function<Box.Open, Function<Instant, Boolean>> wait, Duration before, String expected) {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(Box.class, code(wait)));
            Instant deadline = sim.now().plus(TEN);
            Box box = dormouse.workflow(Box.class, "b");
            dormouse.start(() -> box.run(deadline.toString()));
            sim.advance(MINUTE);
            sim.kill(dormouse);
            Dormouse client = sim.open(node -> node.remoteWorkflow(Box.class));
            sim.advance(Duration.between(sim.now(), deadline.minus(before)));
            client.workflow(Box.class, "b").end();
            sim.advance(TEN);
            Dormouse again = sim.open(node -> node.workflow(Box.class, code(wait)));
            WorkflowHandle<String> handle = again.find("b", String.class).orElseThrow();
            assertThat(sim.result(handle)).as(how).isEqualTo(expected);
        });
    }

    @Test
    void signalBeforeTheDeadlineWinsWithAllNodesDown() {
        waits().forEach((how, wait) -> {
            assertFirst(how, wait, MINUTE, "signal");
            assertFirst(how, wait, Duration.ofMillis(50), "signal");
        });
    }

    @Test
    void signalAfterTheDeadlineLosesWithAllNodesDown() {
        waits().forEach((how, wait) -> {
            assertFirst(how, wait, MINUTE.negated(), "deadline");
            // a timer counts from when it is set, which is a moment after the run's time
            assertFirst(how, wait, Duration.ofMillis(how.equals("timer") ? -50 : -1), "deadline");
        });
    }

    @Test
    void waitForSignalGoesByTheOrderOfAcceptanceWithAllNodesDown() {
        for (boolean byName : List.of(true, false)) {
            for (Duration before : List.of(MINUTE, Duration.ofMillis(50), Duration.ofMillis(-1), MINUTE.negated())) {
                simulate(sim -> {
                    WorkflowFunction<String, String> code = (ctx, input) -> {
                        Duration left = Duration.between(ctx.now(), Instant.parse(input));
                        return (byName ? ctx.waitForSignal("go", left) : ctx.waitForSignal(left))
                                .map(Signal::name)
                                .orElse("deadline");
                    };
                    Dormouse dormouse = sim.open(node -> node.workflow("w", String.class, String.class, code));
                    Instant deadline = sim.now().plus(TEN);
                    dormouse.start("w", "w", String.class, deadline.toString());
                    sim.advance(MINUTE);
                    sim.kill(dormouse);
                    Dormouse client = sim.open(node -> node.remoteWorkflow("w"));
                    sim.advance(Duration.between(sim.now(), deadline.minus(before)));
                    client.find("w", String.class).orElseThrow().signal("go");
                    sim.advance(TEN);
                    Dormouse again = sim.open(node -> node.workflow("w", String.class, String.class, code));
                    WorkflowHandle<String> handle =
                            again.find("w", String.class).orElseThrow();
                    assertThat(sim.result(handle)).isEqualTo(before.isNegative() ? "deadline" : "go");
                });
            }
        }
    }

    @Test
    void extensionBeforeTheDeadlineCountsAndOneAfterItIsRefusedWithAllNodesDown() {
        for (boolean inTime : List.of(true, false)) {
            simulate(sim -> {
                Supplier<Box> code = () -> new Box.Open() {
                    private final UpdatableTimer timer = Workflow.newUpdatableTimer();

                    @Override
                    public String run(String input) {
                        timer.sleepUntil(Instant.parse(input));
                        return Workflow.now() + " " + timer.changes().size();
                    }

                    @Override
                    public void put(String text) {
                        timer.updateWakeUpTime(Instant.parse(text));
                    }
                };
                Dormouse dormouse = sim.open(node -> node.workflow(Box.class, code));
                Instant deadline = sim.now().plus(TEN);
                Instant later = deadline.plus(TEN);
                Box box = dormouse.workflow(Box.class, "b");
                dormouse.start(() -> box.run(deadline.toString()));
                sim.advance(MINUTE);
                sim.kill(dormouse);
                Dormouse client = sim.open(node -> node.remoteWorkflow(Box.class));
                sim.advance(Duration.between(sim.now(), deadline).plusSeconds(inTime ? -1 : 1));
                client.workflow(Box.class, "b").put(later.toString());
                sim.advance(MINUTE);
                Dormouse again = sim.open(node -> node.workflow(Box.class, code));
                WorkflowHandle<String> handle = again.find("b", String.class).orElseThrow();
                sim.result(handle);
                Instant closed = handle.describe().closedAt().orElseThrow();
                if (inTime) {
                    assertThat(closed).isBetween(later, later.plusSeconds(1));
                } else {
                    assertThat(closed).isBefore(deadline.plus(MINUTE.multipliedBy(2)));
                }
            });
        }
    }

    @Test
    void signalAfterTheDeadlineLosesEvenWhereTheNodeThatHoldsTheRunIsSlow() {
        for (Duration time : List.of(Duration.ofSeconds(3), TEN)) {
            simulate(sim -> {
                Supplier<Box> code = code(box -> end -> Workflow.await(end, () -> box.ended));
                Dormouse dormouse = sim.open(node -> node.workflow(Box.class, code));
                Dormouse client = sim.open(node -> node.remoteWorkflow(Box.class));
                Instant deadline = sim.now().plus(time);
                Box box = dormouse.workflow(Box.class, "b");
                WorkflowHandle<String> handle = dormouse.start(() -> box.run(deadline.toString()));
                sim.advance(Duration.ofSeconds(1));
                sim.pause(dormouse);
                sim.advance(Duration.between(sim.now(), deadline).plusSeconds(2));
                client.workflow(Box.class, "b").end();
                sim.resume(dormouse);
                assertThat(sim.result(handle)).isEqualTo("deadline");
            });
        }
    }

    @Test
    void signalThatIsSentAfterTheDeadlineLosesEvenInARaceWithALivingNode() {
        for (Duration time : List.of(Duration.ofSeconds(2), Duration.ofSeconds(20))) {
            simulate(sim -> {
                Supplier<Box> code = code(box -> end -> Workflow.await(end, () -> box.ended));
                Dormouse one = sim.open(node -> node.workflow(Box.class, code));
                Dormouse two = sim.open(node -> node.workflow(Box.class, code));
                Instant deadline = sim.now().plus(time);
                List<WorkflowHandle<String>> handles = new ArrayList<>();
                for (int i = 0; i < 40; i++) {
                    Box box = (i % 2 == 0 ? one : two).workflow(Box.class, "b" + i);
                    handles.add((i % 2 == 0 ? one : two).start(() -> box.run(deadline.toString())));
                }
                sim.advance(Duration.between(sim.now(), deadline).minusMillis(20));
                boolean[] accepted = new boolean[40];
                Instant[] sent = new Instant[40];
                Instant[] back = new Instant[40];
                int[] done = {0};
                for (int i = 0; i < 40; i++) {
                    int number = i;
                    Dormouse sender = i % 3 == 0 ? one : two;
                    sim.inBackground(() -> {
                        sim.advance(Duration.ofMillis(number));
                        sent[number] = sim.now();
                        try {
                            sender.workflow(Box.class, "b" + number).end();
                            accepted[number] = true;
                        } catch (DormouseException refused) {
                            sim.log(refused.getMessage());
                        }
                        back[number] = sim.now();
                        done[0]++;
                    });
                }
                sim.await("all senders", () -> done[0] == 40);
                for (int i = 0; i < 40; i++) {
                    String result = sim.result(handles.get(i));
                    assertThat(handles.get(i).describe().status()).isEqualTo(RunStatus.COMPLETED);
                    if (accepted[i] && back[i].isBefore(deadline)) {
                        assertThat(result).isEqualTo("signal");
                    } else if (!accepted[i] || sent[i].isAfter(deadline)) {
                        assertThat(result).isEqualTo("deadline");
                    }
                }
            });
        }
    }
}
