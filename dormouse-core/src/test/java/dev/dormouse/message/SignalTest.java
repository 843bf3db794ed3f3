package dev.dormouse.message;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.Promise;
import dev.dormouse.StartOptions;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.HistoryEvent;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.support.Box;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.testing.sim.FaultProfile;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Signals, which arrive once and in order at any moment of a run. */
class SignalTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final FaultProfile FLAKY = FaultProfile.HOSTILE.withCrashes(0);

    private static Dormouse open(SimulatedDormouse sim, Supplier<Box> code) {
        return sim.open(node -> node.workflow(Box.class, code));
    }

    private static Dormouse client(SimulatedDormouse sim) {
        return sim.open(node -> node.remoteWorkflow(Box.class));
    }

    /** Opens a node, with retries after connection errors. */
    private static Dormouse openFlaky(SimulatedDormouse sim, UnaryOperator<DormouseBuilder> setUp) {
        while (true) {
            try {
                return sim.open(FLAKY, setUp);
            } catch (StoreException broken) {
                sim.advance(SECOND);
            }
        }
    }

    private static WorkflowHandle<String> start(Dormouse dormouse, String id) {
        Box box = dormouse.workflow(Box.class, id);
        return dormouse.start(() -> box.run("x"));
    }

    private static String numbers(int from, int to) {
        return String.join(",", IntStream.range(from, to).mapToObj(i -> "" + i).toList());
    }

    @Test
    void signalsFromSeveralNodesArriveInTheOrderOfAcceptance() {
        for (Supplier<Box> code : List.<Supplier<Box>>of(Box.Open::new, Box.Parked::new)) {
            simulate(sim -> {
                List<Dormouse> nodes = List.of(open(sim, code), open(sim, code), client(sim));
                WorkflowHandle<String> handle = start(nodes.get(0), "b");
                for (int i = 0; i < 100; i++) {
                    nodes.get(i % 3).workflow(Box.class, "b").put("" + i);
                    if (i % 25 == 0) {
                        sim.advance(SECOND.multipliedBy(i / 10));
                    }
                }
                nodes.get(1).workflow(Box.class, "b").end();
                assertThat(sim.result(handle)).isEqualTo(numbers(0, 100));
            });
        }
    }

    @Test
    void sendersWithBadConnectionsLoseNothingAndDoubleNothingAndKeepTheirOrder() {
        simulate(sim -> {
            Dormouse worker = openFlaky(sim, node -> node.workflow(Box.class, Box.Open::new));
            start(worker, "b");
            WorkflowHandle<String> handle = client(sim).find("b", String.class).orElseThrow();
            int[] sent = {0};
            for (int sender = 0; sender < 4; sender++) {
                Dormouse from = sender == 0 ? worker : openFlaky(sim, node -> node.remoteWorkflow(Box.class));
                String name = "abcd".substring(sender, sender + 1);
                sim.inBackground(() -> {
                    for (int i = 100; i < 140; i++) {
                        from.workflow(Box.class, "b").put(name + i);
                        sent[0]++;
                    }
                });
            }
            sim.await("all signals to be sent", () -> sent[0] == 160);
            handle.signal("end");
            List<String> seen = Arrays.asList(sim.result(handle).split(","));
            assertThat(seen).hasSize(160).doesNotHaveDuplicates();
            for (String name : List.of("a", "b", "c", "d")) {
                assertThat(seen)
                        .filteredOn(text -> text.startsWith(name))
                        .hasSize(40)
                        .isSorted();
            }
        });
    }

    @Test
    void signalsThatComeBeforeTheFirstLineAreHandledBeforeIt() {
        simulate(sim -> {
            Dormouse client = client(sim);
            WorkflowHandle<String> handle = start(client, "b");
            for (int i = 0; i < 5; i++) {
                client.workflow(Box.class, "b").put("" + i);
            }
            sim.advance(HOUR);
            open(sim, () -> new Box.Open() {
                @Override
                public String run(String input) {
                    return String.join(",", seen);
                }
            });
            assertThat(sim.result(handle)).isEqualTo("0,1,2,3,4");
        });
    }

    @Test
    void signalToADelayedRunDoesNotBeginItEarly() {
        simulate(sim -> {
            Supplier<Box> code = () -> new Box.Open() {
                @Override
                public String run(String input) {
                    return Workflow.now() + "," + String.join(",", seen);
                }
            };
            Dormouse dormouse = open(sim, code);
            Instant begin = sim.now().plus(HOUR);
            Box box = dormouse.workflow(Box.class, "b", StartOptions.DEFAULT.withStartDelay(HOUR));
            WorkflowHandle<String> handle = dormouse.start(() -> box.run("x"));
            sim.advance(Duration.ofMinutes(10));
            box.put("early");
            sim.advance(Duration.ofMinutes(10));
            box.put("bird");
            assertThat(handle.describe().closedAt()).isEmpty();
            assertThat(sim.result(handle)).endsWith(",early,bird");
            assertThat(handle.describe().closedAt().orElseThrow()).isBetween(begin, begin.plus(SECOND));
        });
    }

    @Test
    void signalsToARunWhoseExecutionTimeoutHasPassedAreRefusedOrLost() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, Box.Open::new);
            Box box = dormouse.workflow(Box.class, "b", StartOptions.DEFAULT.withExecutionTimeout(HOUR));
            WorkflowHandle<String> handle = dormouse.start(() -> box.run("x"));
            for (int i = 0; i < 59; i++) {
                sim.advance(Duration.ofMinutes(1));
                box.put("" + i);
            }
            sim.advance(Duration.ofMinutes(2));
            assertThat(handle.describe().status()).isEqualTo(RunStatus.TIMED_OUT);
            assertThat(Duration.between(
                            handle.describe().startedAt(),
                            handle.describe().closedAt().orElseThrow()))
                    .isBetween(HOUR, HOUR.plus(SECOND));
        });
    }

    @Test
    void handlerRunsWhileALongStepIsExecuted() {
        simulate(sim -> {
            Supplier<Box> code = () -> new Box.Open() {
                @Override
                public String run(String input) {
                    longStep(sim, "step", SECOND.multipliedBy(40));
                    return String.join(",", seen);
                }

                @Override
                public void put(String text) {
                    super.put(text);
                    sim.log("handled " + text);
                }
            };
            Dormouse dormouse = open(sim, code);
            Dormouse client = client(sim);
            WorkflowHandle<String> handle = start(dormouse, "b");
            sim.advance(SECOND.multipliedBy(2));
            handle.signal("put", "a");
            sim.advance(SECOND.multipliedBy(2));
            assertThat(sim.log()).containsExactly("step begins", "handled a");
            client.workflow(Box.class, "b").put("b");
            sim.advance(SECOND.multipliedBy(2));
            assertThat(sim.log()).containsExactly("step begins", "handled a", "handled b");
            assertThat(sim.result(handle)).isEqualTo("a,b");
            assertThat(sim.count("step begins")).isEqualTo(1);
        });
    }

    @Test
    void stepThatIsWaitedForByAnotherCoroutineDoesNotHoldASignalUp() {
        simulate(sim -> {
            Supplier<Box> code = () -> new Box.Open() {
                @Override
                public String run(String input) {
                    Promise<String> slow = Workflow.async(() -> {
                        longStep(sim, "step", SECOND.multipliedBy(100));
                        return "slow";
                    });
                    Workflow.await(() -> ended);
                    return "ended, slow is done: " + slow.isDone();
                }
            };
            Dormouse dormouse = open(sim, code);
            WorkflowHandle<String> handle = start(dormouse, "b");
            sim.advance(SECOND.multipliedBy(5));
            handle.signal("end");
            assertThat(sim.result(handle)).isEqualTo("ended, slow is done: false");
            assertThat(sim.elapsed()).isLessThan(SECOND.multipliedBy(20));
        });
    }

    @Test
    void signalInTheMomentOfTheSuspendIsNotSleptOver() {
        for (Supplier<Box> code : List.<Supplier<Box>>of(Box.Open::new, Box.Parked::new)) {
            simulate(sim -> {
                Dormouse dormouse = open(sim, code);
                Dormouse client = client(sim);
                List<WorkflowHandle<String>> handles = new ArrayList<>();
                for (int i = 0; i < 60; i++) {
                    WorkflowHandle<String> handle = start(dormouse, "b" + i);
                    sim.advance(Duration.ofNanos(i * 250_000L));
                    Dormouse sender = i % 2 == 0 ? dormouse : client;
                    sender.workflow(Box.class, "b" + i).put("x");
                    sender.workflow(Box.class, "b" + i).end();
                    handles.add(handle);
                }
                Duration before = sim.elapsed();
                handles.forEach(handle -> assertThat(sim.result(handle)).isEqualTo("x"));
                assertThat(sim.elapsed().minus(before)).isLessThan(SECOND);
            });
        }
    }

    @Test
    void lostNoticesDelayASignalByASweepAtMost() {
        simulate(sim -> {
            FaultProfile deaf = FaultProfile.CALM.withBadNotices(1, 0, Duration.ofMillis(2));
            Dormouse dormouse = sim.open(deaf, node -> node.workflow(Box.class, Box.Open::new));
            Dormouse client = sim.open(deaf, node -> node.remoteWorkflow(Box.class));
            WorkflowHandle<String> handle = start(dormouse, "b");
            sim.advance(SECOND.multipliedBy(7));
            client.workflow(Box.class, "b").put("x");
            client.workflow(Box.class, "b").end();
            assertThat(sim.result(handle)).isEqualTo("x");
            assertThat(sim.elapsed()).isLessThan(SECOND.multipliedBy(7 + 11));
        });
    }

    @Test
    void signalsToARunThatContinuesAsNewAllTheTimeArriveOnceAndInOrder() {
        simulate(sim -> {
            Supplier<Box> code = () -> new Box.Open() {
                @Override
                public String run(String input) {
                    Workflow.await(() -> seen.size() >= 3 || ended);
                    String all = input + seen.stream().map(text -> "," + text).reduce("", String::concat);
                    if (!ended) {
                        Workflow.continueAsNew(all);
                    }
                    return all;
                }
            };
            Dormouse dormouse = open(sim, code);
            Dormouse second = open(sim, code);
            Dormouse client = client(sim);
            start(dormouse, "b");
            for (int i = 0; i < 100; i++) {
                List.of(dormouse, second, client)
                        .get(i % 3)
                        .workflow(Box.class, "b")
                        .put("" + i);
            }
            client.workflow(Box.class, "b").end();
            sim.await(
                    "the end",
                    () -> client.find("b", String.class)
                            .filter(last -> last.describe().status() == RunStatus.COMPLETED)
                            .isPresent());
            assertThat(sim.result(client.find("b", String.class).orElseThrow())).isEqualTo("x," + numbers(0, 100));
        });
    }

    @Test
    void signalsThatWereAcceptedSurviveTheDeathOfEveryNodeAndArriveOnce() {
        for (Supplier<Box> code : List.<Supplier<Box>>of(Box.Open::new, Box.Parked::new)) {
            simulate(sim -> {
                Dormouse client = client(sim);
                Dormouse worker = open(sim, code);
                start(worker, "b");
                for (int i = 0; i < 60; i++) {
                    client.workflow(Box.class, "b").put("" + i);
                    if (i % 10 == 5) {
                        sim.advance(Duration.ofMillis(i / 10));
                        sim.kill(worker);
                        worker = open(sim, code);
                    }
                }
                client.workflow(Box.class, "b").end();
                WorkflowHandle<String> handle = client.find("b", String.class).orElseThrow();
                assertThat(sim.result(handle)).isEqualTo(numbers(0, 60));
            });
        }
    }

    @Test
    void signalsConsumedTogetherAreOneEvent() {
        simulate(sim -> {
            Dormouse client = client(sim);
            WorkflowHandle<String> handle = start(client, "b");
            for (int i = 0; i < 50; i++) {
                client.workflow(Box.class, "b").put("" + i);
            }
            client.workflow(Box.class, "b").end();
            open(sim, Box.Open::new);
            assertThat(sim.result(handle)).isEqualTo(numbers(0, 50));
            assertThat(handle.history())
                    .extracting(HistoryEvent::kind)
                    .containsExactly("RunStarted", "MailReceived", "RunBegan", "RunCompleted");
        });
    }
}
