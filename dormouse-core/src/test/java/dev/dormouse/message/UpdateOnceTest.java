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
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Updates with an id, which have the same answer for each repeated request. */
class UpdateOnceTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    /** Answers with the text and the number of changes. */
    private static Supplier<Box> counting(Consumer<String> first) {
        return () -> new Box.Open() {
            @Override
            public String change(String text) {
                first.accept(text);
                seen.add(text);
                return text + seen.size();
            }
        };
    }

    private static Supplier<Box> counting() {
        return counting(text -> {});
    }

    private static Dormouse open(SimulatedDormouse sim, Supplier<Box> code) {
        return sim.open(node -> node.workflow(Box.class, code));
    }

    private static Dormouse client(SimulatedDormouse sim) {
        return sim.open(node -> node.remoteWorkflow(Box.class));
    }

    private static WorkflowHandle<String> start(Dormouse dormouse) {
        Box box = dormouse.workflow(Box.class, "b");
        return dormouse.start(() -> box.run("x"));
    }

    private static WorkflowHandle<String> latest(Dormouse dormouse) {
        return dormouse.find("b", String.class).orElseThrow();
    }

    private static String ask(Dormouse dormouse, String id, String text) {
        return latest(dormouse).updateOnce(id, MINUTE, "change", String.class, text);
    }

    @Test
    void sameIdHasTheSameAnswerForAnyRequestOnAnyNode() {
        simulate(sim -> {
            Dormouse one = open(sim, counting());
            Dormouse two = open(sim, counting());
            Dormouse client = client(sim);
            WorkflowHandle<String> handle = start(one);
            assertThat(ask(one, "u", "a")).isEqualTo("a1");
            assertThat(ask(one, "v", "a")).isEqualTo("a2");
            for (Dormouse asked : List.of(one, two, client)) {
                assertThat(ask(asked, "u", "a")).isEqualTo("a1");
                assertThat(ask(asked, "u", "something else")).isEqualTo("a1");
                sim.advance(HOUR);
            }
            sim.kill(one);
            assertThat(ask(client, "u", "a")).isEqualTo("a1");
            latest(two).signal("end");
            assertThat(sim.result(latest(two))).isEqualTo("a,a");
            assertThat(handle.workflowId()).isEqualTo("b");
        });
    }

    @Test
    void rejectionsAndFailuresAreTheSameToo() {
        simulate(sim -> {
            int[] calls = {0};
            Dormouse dormouse = open(sim, () -> new Box.Open() {
                @Override
                public void mayBeSet(String text) {
                    if (seen.isEmpty()) {
                        throw new IllegalStateException("empty");
                    }
                }

                @Override
                public String change(String text) {
                    seen.add(text);
                    throw new IllegalStateException("after " + seen.size());
                }
            });
            WorkflowHandle<String> handle = start(dormouse);
            for (int i = 0; i < 2; i++) {
                Throwable rejected = catchThrowable(() -> handle.updateOnce("r", MINUTE, "set", Void.class, "x"));
                assertClear(rejected, ErrorCode.UPDATE_REJECTED);
                assertThat(rejected.getMessage()).contains("empty");
                Throwable failed = catchThrowable(() -> handle.updateOnce("f", MINUTE, "change", String.class, "x"));
                assertClear(failed, ErrorCode.UPDATE_FAILED);
                assertThat(failed.getMessage()).contains("after 1");
                sim.advance(HOUR);
                calls[0]++;
            }
            assertThat(calls[0]).isEqualTo(2);
        });
    }

    @Test
    void answerIsKnownAfterTheClose() {
        simulate(sim -> {
            Dormouse one = open(sim, counting());
            WorkflowHandle<String> handle = start(one);
            assertThat(ask(one, "u", "a")).isEqualTo("a1");
            handle.signal("end");
            sim.result(handle);
            Dormouse client = client(sim);
            for (Dormouse asked : List.of(one, client)) {
                assertThat(ask(asked, "u", "a")).isEqualTo("a1");
                assertClear(catchThrowable(() -> ask(asked, "other", "a")), ErrorCode.RUN_CLOSED);
            }
        });
    }

    @Test
    void answerIsKnownAfterContinueAsNewAndTheHandlerDoesNotRunAgain() {
        simulate(sim -> {
            Dormouse one = open(sim, () -> new Box.Open() {
                @Override
                public String run(String input) {
                    Workflow.await(() -> ended);
                    if (input.equals("x")) {
                        Workflow.continueAsNew("second");
                    }
                    return input + seen;
                }
            });
            WorkflowHandle<String> first = start(one);
            assertThat(ask(one, "u", "a")).isEqualTo("changed to a");
            first.signal("end");
            sim.await("the next run", () -> !latest(one).runId().equals(first.runId()));
            sim.advance(MINUTE);
            assertThat(ask(one, "u", "b")).isEqualTo("changed to a");
            assertThat(ask(client(sim), "u", "b")).isEqualTo("changed to a");
            latest(one).signal("end");
            assertThat(sim.result(latest(one))).isEqualTo("second[]");
            assertThat(ask(one, "u", "b")).isEqualTo("changed to a");
        });
    }

    @Test
    void concurrentCallersGetOneAnswerAndTheHandlerRunsOnce() {
        for (boolean waits : List.of(false, true)) {
            simulate(sim -> {
                Supplier<Box> code = counting(text -> {
                    Workflow.step("s", () -> sim.log("step"));
                    if (waits) {
                        Workflow.sleep(SECOND.multipliedBy(20));
                    }
                });
                List<Dormouse> nodes = List.of(open(sim, code), open(sim, code), client(sim));
                start(nodes.get(0));
                List<String> answers = new ArrayList<>();
                for (int i = 0; i < 30; i++) {
                    Dormouse asked = nodes.get(i % 3);
                    int number = i;
                    sim.inBackground(() -> {
                        sim.advance(Duration.ofMillis(number / 3));
                        answers.add(ask(asked, "u", "a" + number));
                    });
                }
                sim.await("all answers", () -> answers.size() == 30);
                assertThat(answers).containsOnly(answers.get(0));
                assertThat(sim.count("step")).isEqualTo(1);
                assertThat(nodes.get(0).workflow(Box.class, "b").seen()).hasSize(1);
            });
        }
    }

    @Test
    void answerSurvivesTheDeathOfTheNodeBetweenAcceptanceAndAnswer() {
        for (Duration wait : List.of(Duration.ZERO, SECOND.multipliedBy(3), MINUTE)) {
            simulate(sim -> {
                Supplier<Box> code = counting(text -> {
                    Workflow.sleep(wait);
                    Workflow.step("s", () -> sim.advance(SECOND.multipliedBy(2)));
                });
                Dormouse worker = open(sim, code);
                Dormouse client = client(sim);
                start(worker);
                List<String> answers = new ArrayList<>();
                sim.inBackground(() -> answers.add(latest(client).updateOnce("u", HOUR, "change", String.class, "a")));
                sim.advance(SECOND);
                sim.kill(worker);
                sim.advance(MINUTE.multipliedBy(2));
                assertThat(answers).isEmpty();
                open(sim, code);
                sim.await("the answer", () -> !answers.isEmpty());
                assertThat(answers).containsExactly("a1");
                assertThat(ask(client, "u", "a")).isEqualTo("a1");
            });
        }
    }

    @Test
    void updateIsNotAnsweredUntilANodeHasTheCode() {
        simulate(sim -> {
            Dormouse client = client(sim);
            WorkflowHandle<String> handle = start(client);
            Duration before = sim.elapsed();
            Throwable late = catchThrowable(() -> ask(client, "u", "a"));
            assertClear(late, ErrorCode.NOT_ANSWERED);
            assertThat(late.getMessage()).contains("'u'");
            assertThat(sim.elapsed().minus(before)).isBetween(SECOND.multipliedBy(59), SECOND.multipliedBy(62));
            for (Duration none : List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
                Throwable atOnce = catchThrowable(() -> handle.updateOnce("u", none, "change", String.class, "b"));
                assertClear(atOnce, ErrorCode.NOT_ANSWERED);
            }
            open(sim, counting());
            sim.advance(SECOND);
            String answer = handle.updateOnce("u", Duration.ofSeconds(Long.MAX_VALUE), "change", String.class, "c");
            assertThat(answer).isEqualTo("a1");
        });
    }

    @Test
    void updateWhoseRunClosesBeforeTheHandlerReturnsFailsWithAnErrorCode() {
        for (String end : List.of("end", "terminate", "cancel", "continue")) {
            simulate(sim -> {
                Supplier<Box> code = () -> new Box.Open() {
                    @Override
                    public String run(String input) {
                        Workflow.await(() -> ended || seen.contains("continue"));
                        if (seen.contains("continue")) {
                            Workflow.continueAsNew("second");
                        }
                        return "done";
                    }

                    @Override
                    public String change(String text) {
                        Workflow.sleep(HOUR);
                        return "too late";
                    }
                };
                Dormouse dormouse = open(sim, code);
                Dormouse client = client(sim);
                WorkflowHandle<String> handle = start(dormouse);
                List<Throwable> problems = new ArrayList<>();
                for (Dormouse asked : List.of(dormouse, client)) {
                    sim.inBackground(() -> problems.add(catchThrowable(
                            () -> latest(asked).updateOnce("u", Duration.ofHours(5), "change", String.class, "a"))));
                }
                sim.advance(SECOND.multipliedBy(10));
                switch (end) {
                    case "end" -> handle.signal("end");
                    case "terminate" -> handle.terminate("enough");
                    case "cancel" -> handle.cancel("enough");
                    default -> handle.signal("put", "continue");
                }
                sim.advance(MINUTE);
                assertThat(handle.describe().status().isClosed()).isTrue();
                assertThat(problems).as(end).hasSize(2);
                for (Throwable problem : problems) {
                    assertThat(problem).as(end).isInstanceOf(DormouseException.class);
                    assertThat(problem.getMessage()).matches("\\[DM\\d{4}\\] Expected .+, but.+");
                }
            });
        }
    }

    @Test
    void updatesThatRaceTheCloseAreAnsweredOrRefusedAtOnce() {
        simulate(sim -> {
            Dormouse one = open(sim, counting());
            Dormouse two = open(sim, counting());
            WorkflowHandle<String> handle = start(one);
            sim.advance(SECOND);
            int[] answered = {0};
            int[] refused = {0};
            for (int i = 0; i < 40; i++) {
                int number = i;
                sim.inBackground(() -> {
                    sim.advance(Duration.ofNanos(300_000L * number));
                    try {
                        ask(number % 2 == 0 ? one : two, "u" + number, "x");
                        answered[0]++;
                    } catch (DormouseException closed) {
                        assertClear(closed, ErrorCode.RUN_CLOSED);
                        refused[0]++;
                    }
                });
            }
            sim.advance(Duration.ofMillis(6));
            handle.signal("end");
            sim.await("all", () -> answered[0] + refused[0] == 40);
            assertThat(sim.elapsed()).isLessThan(SECOND.multipliedBy(5));
            assertThat(handle.describe().status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(one.workflow(Box.class, "b").seen()).hasSize(answered[0]);
        });
    }
}
