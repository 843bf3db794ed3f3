package dev.dormouse.message;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.StartOptions;
import dev.dormouse.TypeRef;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.HistoryEvent;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Box;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Queries of runs in all states, without side effects. */
class QueryTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    /** Executes the code chosen by its input and shows its progress. */
    private static Supplier<Box> code(SimulatedDormouse sim) {
        return () -> new Box.Open() {
            @Override
            public String run(String input) {
                seen.add("began");
                switch (input) {
                    case "step" -> longStep(sim, "step", SECOND.multipliedBy(60));
                    case "park" -> Workflow.await(SECOND.multipliedBy(4), () -> ended);
                    case "sleep" -> Workflow.sleep(HOUR);
                    case "fail" -> throw new IllegalStateException("as asked");
                    case "wait" -> Workflow.await(() -> ended);
                    default -> seen.add("nothing");
                }
                seen.add("went on");
                return "done";
            }
        };
    }

    private static Dormouse open(SimulatedDormouse sim, Supplier<Box> code) {
        return sim.open(node -> SimulatedDormouse.echo(node).workflow(Box.class, code));
    }

    private static WorkflowHandle<String> start(Dormouse dormouse, String id, String input) {
        Box box = dormouse.workflow(Box.class, id);
        return dormouse.start(() -> box.run(input));
    }

    @Test
    void runsInAllStatesAnswerFromEveryNode() {
        simulate(sim -> {
            Dormouse one = open(sim, code(sim));
            Dormouse two = open(sim, code(sim));
            Dormouse client = sim.open(node -> node.remoteWorkflow(Box.class));
            Map<String, RunStatus> states = new LinkedHashMap<>();
            states.put("step", RunStatus.RUNNING);
            states.put("park", RunStatus.PARKED);
            states.put("sleep", RunStatus.WAITING);
            states.put("wait", RunStatus.WAITING);
            states.put("fail", RunStatus.FAILED);
            states.put("complete", RunStatus.COMPLETED);
            states.keySet().forEach(name -> start(one, name, name));
            sim.advance(SECOND);
            states.forEach((name, status) -> {
                for (Dormouse asked : List.of(one, two, client)) {
                    Duration before = sim.elapsed();
                    List<String> answer = asked.workflow(Box.class, name).seen();
                    assertThat(answer).as(name).startsWith("began");
                    assertThat(answer.contains("went on")).as(name).isEqualTo(status == RunStatus.COMPLETED);
                    assertThat(asked.workflow(Box.class, name).look("a")).isEqualTo("a" + answer.size());
                    assertThat(sim.elapsed().minus(before)).isLessThan(SECOND);
                }
                assertThat(one.find(name, String.class).orElseThrow().describe().status())
                        .as(name)
                        .isEqualTo(status);
            });
        });
    }

    @Test
    void runsThatWereEndedFromOutsideAnswerAsTheyWere() {
        simulate(sim -> {
            Dormouse one = open(sim, code(sim));
            Dormouse two = open(sim, code(sim));
            WorkflowHandle<String> terminated = start(one, "1", "wait");
            WorkflowHandle<String> cancelled = start(one, "2", "wait");
            Box timed = one.workflow(Box.class, "3", StartOptions.DEFAULT.withExecutionTimeout(SECOND));
            WorkflowHandle<String> timedOut = one.start(() -> timed.run("sleep"));
            sim.advance(Duration.ofMillis(500));
            terminated.signal("put", "x");
            sim.advance(SECOND.multipliedBy(2));
            terminated.terminate("enough");
            cancelled.cancel("enough");
            sim.advance(SECOND);
            assertThat(terminated.describe().status()).isEqualTo(RunStatus.TERMINATED);
            assertThat(cancelled.describe().status()).isEqualTo(RunStatus.CANCELLED);
            assertThat(timedOut.describe().status()).isEqualTo(RunStatus.TIMED_OUT);
            for (Dormouse asked : List.of(one, two)) {
                assertThat(asked.workflow(Box.class, "1").seen()).containsExactly("began", "x");
                assertThat(asked.workflow(Box.class, "2").seen()).containsExactly("began");
                assertThat(asked.workflow(Box.class, "3").seen()).containsExactly("began");
            }
        });
    }

    @Test
    void delayedRunAnswersBeforeItHasBegunAndDoesNotBegin() {
        simulate(sim -> {
            Dormouse one = open(sim, code(sim));
            Dormouse two = open(sim, code(sim));
            Box box = one.workflow(Box.class, "b", StartOptions.DEFAULT.withStartDelay(HOUR));
            WorkflowHandle<String> handle = one.start(() -> box.run("complete"));
            sim.advance(SECOND);
            assertThat(box.seen()).doesNotContain("began");
            assertThat(two.workflow(Box.class, "b").seen()).doesNotContain("began");
            box.put("early");
            sim.advance(SECOND);
            Throwable problem = catchThrowable(box::seen);
            assertThat(problem).isNull();
            assertThat(handle.describe().status()).isEqualTo(RunStatus.PENDING);
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(sim.elapsed()).isGreaterThan(HOUR);
        });
    }

    @Test
    void delayedRunThatWasTerminatedAnswers() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, code(sim));
            Box box = dormouse.workflow(Box.class, "b", StartOptions.DEFAULT.withStartDelay(HOUR));
            WorkflowHandle<String> handle = dormouse.start(() -> box.run("complete"));
            handle.terminate("not needed");
            assertThat(box.seen()).doesNotContain("began");
        });
    }

    @Test
    void questionToAHandleGoesToItsOwnRunAndToAStubToTheLatest() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, Box.Open::new);
            WorkflowHandle<String> first = start(dormouse, "b", "");
            first.signal("put", "first");
            first.signal("end");
            sim.result(first);
            Box anew = dormouse.workflow(Box.class, "b", StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW));
            WorkflowHandle<String> second = dormouse.start(() -> anew.run(""));
            second.signal("put", "second");
            sim.advance(SECOND);
            assertThat(first.query("seen", new TypeRef<List<String>>() {})).isEqualTo(List.of("first"));
            assertThat(second.query("seen", new TypeRef<List<String>>() {})).isEqualTo(List.of("second"));
            assertThat(anew.seen()).containsExactly("second");
        });
    }

    private static Supplier<Box> looking(Consumer<Box.Open> query) {
        return () -> new Box.Open() {
            @Override
            public String look(String at) {
                query.accept(this);
                return at + seen.size();
            }
        };
    }

    @Test
    void queryChangesNothing() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, looking(box -> box.seen.add("written by a query")));
            WorkflowHandle<String> handle = start(dormouse, "b", "");
            handle.signal("put", "x");
            sim.advance(SECOND);
            List<HistoryEvent> before = handle.history();
            RunDescription description = handle.describe();
            for (int i = 0; i < 5; i++) {
                assertThat(handle.query("look", String.class, "a")).isEqualTo("a2");
            }
            assertThat(handle.query("seen", new TypeRef<List<String>>() {})).isEqualTo(List.of("x"));
            assertThat(handle.history()).isEqualTo(before);
            assertThat(handle.describe()).isEqualTo(description);
            handle.signal("end");
            assertThat(sim.result(handle)).isEqualTo("x");
        });
    }

    @Test
    void queryOfARunInMemoryDoesNotWriteToItsFields() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, () -> new Box.Parked() {
                @Override
                public String look(String at) {
                    seen.add("written by a query");
                    ended = true;
                    return at;
                }
            });
            WorkflowHandle<String> handle = start(dormouse, "b", "");
            for (int i = 0; i < 5; i++) {
                sim.advance(SECOND);
                handle.query("look", String.class, "a");
            }
            assertThat(handle.describe().closedAt()).isEmpty();
            handle.signal("put", "x");
            handle.signal("end");
            assertThat(sim.result(handle)).isEqualTo("x");
        });
    }

    @Test
    void queryExecutesNoStepAgain() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, () -> new Box.Open() {
                @Override
                public String run(String input) {
                    for (int i = 0; i < 3; i++) {
                        longStep(sim, "step" + i, SECOND.multipliedBy(20));
                        seen.add("" + i);
                    }
                    return "done";
                }
            });
            WorkflowHandle<String> handle = start(dormouse, "b", "");
            List<Integer> sizes = new ArrayList<>();
            while (handle.describe().closedAt().isEmpty()) {
                sim.advance(SECOND.multipliedBy(3));
                sizes.add(handle.query("seen", new TypeRef<List<String>>() {}).size());
            }
            assertThat(sizes).isSorted().contains(0, 1, 2, 3);
            assertThat(sim.log())
                    .containsExactly(
                            "step0 begins", "step0 ends", "step1 begins", "step1 ends", "step2 begins", "step2 ends");
        });
    }

    @Test
    void answersNeverGoBackWhileTheRunMovesOn() {
        simulate(sim -> {
            Dormouse one = open(sim, Box.Parked::new);
            Dormouse two = open(sim, Box.Parked::new);
            WorkflowHandle<String> handle = start(one, "b", "");
            int[] asked = {0};
            for (Dormouse from : List.of(one, two)) {
                sim.inBackground(() -> {
                    int last = 0;
                    for (int i = 0; i < 30; i++) {
                        List<String> seen = from.workflow(Box.class, "b").seen();
                        assertThat(seen).hasSizeGreaterThanOrEqualTo(last);
                        for (int k = 0; k < seen.size(); k++) {
                            assertThat(seen.get(k)).isEqualTo("" + k);
                        }
                        last = seen.size();
                        sim.advance(Duration.ofMillis(200));
                    }
                    asked[0]++;
                });
            }
            for (int i = 0; i < 60; i++) {
                handle.signal("put", "" + i);
                sim.advance(Duration.ofMillis(100));
            }
            sim.await("those who ask", () -> asked[0] == 2);
        });
    }

    @Test
    void queryWithoutANodeThatHasTheCodeIsATypedErrorAfterATimeout() {
        simulate(sim -> {
            Dormouse client = sim.open(node -> node.remoteWorkflow(Box.class));
            WorkflowHandle<String> handle = start(client, "b", "wait");
            Duration before = sim.elapsed();
            assertClear(
                    catchThrowable(() -> handle.query("seen", new TypeRef<List<String>>() {})), ErrorCode.NOT_ANSWERED);
            assertThat(sim.elapsed().minus(before)).isBetween(SECOND.multipliedBy(9), SECOND.multipliedBy(12));
            open(sim, code(sim));
            sim.advance(SECOND);
            assertThat(handle.query("seen", new TypeRef<List<String>>() {})).isEqualTo(List.of("began"));
        });
    }
}
