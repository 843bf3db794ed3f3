package dev.dormouse.message;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.StartOptions;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.UpdateFailedException;
import dev.dormouse.support.Box;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Updates and their answers. */
class UpdateTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

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

    private static Supplier<Box> changing(BiFunction<Box.Open, String, String> change) {
        return () -> new Box.Open() {
            @Override
            public String change(String text) {
                return change.apply(this, text);
            }
        };
    }

    @Test
    void updatesAreAnsweredFromEveryNodeInAnyStateOfTheRun() {
        for (Supplier<Box> code : List.<Supplier<Box>>of(Box.Open::new, Box.Parked::new)) {
            simulate(sim -> {
                Dormouse one = open(sim, code);
                Dormouse two = open(sim, code);
                Dormouse client = client(sim);
                WorkflowHandle<String> handle = start(one);
                for (Dormouse asked : List.of(one, two, client)) {
                    Box box = asked.workflow(Box.class, "b");
                    assertThat(box.change("a")).isEqualTo("changed to a");
                    box.set("b");
                    assertThat(asked.find("b", String.class).orElseThrow().update("change", String.class, "c"))
                            .isEqualTo("changed to c");
                    assertThat(asked.find("b", String.class).orElseThrow().update("set", Void.class, "d"))
                            .isNull();
                    sim.advance(MINUTE);
                }
                handle.signal("end");
                assertThat(sim.result(handle)).isEqualTo("a,b,c,d,a,b,c,d,a,b,c,d");
            });
        }
    }

    @Test
    void updateIsAnsweredWhileALongStepRuns() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, () -> new Box.Open() {
                @Override
                public String run(String input) {
                    longStep(sim, "step", SECOND.multipliedBy(50));
                    return "" + seen;
                }
            });
            WorkflowHandle<String> handle = start(dormouse);
            sim.advance(SECOND);
            assertThat(client(sim).workflow(Box.class, "b").change("a")).isEqualTo("changed to a");
            assertThat(sim.elapsed()).isLessThan(SECOND.multipliedBy(20));
            assertThat(sim.result(handle)).isEqualTo("[a]");
        });
    }

    @Test
    void handlerTakesItsOwnStepsWhileALongStepRuns() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, () -> new Box.Open() {
                @Override
                public String run(String input) {
                    longStep(sim, "step", SECOND.multipliedBy(50));
                    return "" + seen;
                }

                @Override
                public void put(String text) {
                    longStep(sim, text, SECOND);
                    super.put(text);
                }
            });
            WorkflowHandle<String> handle = start(dormouse);
            sim.advance(SECOND);
            handle.signal("put", "a");
            sim.advance(SECOND.multipliedBy(10));
            assertThat(sim.log()).containsExactly("step begins", "a begins", "a ends");
            assertThat(sim.result(handle)).isEqualTo("[a]");
        });
    }

    @Test
    void oneReadsOnesOwnWrites() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, Box.Open::new);
            Dormouse two = open(sim, Box.Open::new);
            start(dormouse);
            for (int i = 1; i <= 20; i++) {
                dormouse.workflow(Box.class, "b").change("" + i);
                assertThat(two.workflow(Box.class, "b").seen()).hasSize(i);
                assertThat(dormouse.workflow(Box.class, "b").seen()).hasSize(i);
            }
        });
    }

    @Test
    void validatorRejectsBeforeTheHandlerRuns() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, Box.Open::new);
            WorkflowHandle<String> handle = start(dormouse);
            for (Dormouse asked : List.of(dormouse, client(sim))) {
                Throwable problem =
                        catchThrowable(() -> asked.workflow(Box.class, "b").set("bad one"));
                assertClear(problem, ErrorCode.UPDATE_REJECTED);
                assertThat(((UpdateFailedException) problem).failure().getMessage())
                        .isEqualTo("bad one must not be set");
                assertThat(problem.getMessage()).contains("'set'").contains("bad one must not be set");
            }
            handle.signal("end");
            assertThat(sim.result(handle)).isEmpty();
        });
    }

    private static void assertRejects(Runnable validator) {
        simulate(sim -> {
            Dormouse dormouse = open(sim, () -> new Box.Open() {
                @Override
                public void mayBeSet(String text) {
                    validator.run();
                }
            });
            WorkflowHandle<String> handle = start(dormouse);
            Box box = dormouse.workflow(Box.class, "b");
            assertClear(catchThrowable(() -> box.set("x")), ErrorCode.UPDATE_REJECTED);
            sim.advance(MINUTE);
            assertThat(handle.describe().trouble()).isEmpty();
            handle.signal("put", "ok");
            handle.signal("end");
            assertThat(sim.result(handle)).isEqualTo("ok");
        });
    }

    @Test
    void validatorThatWaitsOrSchedulesIsARejection() {
        assertRejects(() -> Workflow.sleep(HOUR));
        assertRejects(() -> Workflow.await(() -> false));
        assertRejects(() -> Workflow.step("s", () -> {}));
        assertRejects(() -> Workflow.newTimer(HOUR));
        assertRejects(() -> Workflow.continueAsNew("x"));
    }

    @Test
    void validatorThatSendsASignalIsARejection() {
        assertRejects(() -> Workflow.signal("b", "put", "by a validator"));
    }

    @Test
    void validatorThatThrowsAnErrorIsARejection() {
        assertRejects(() -> {
            throw new AssertionError("no");
        });
    }

    @Test
    void handlerThatThrowsAnswersNoAndDoesNotHarmTheRun() {
        assertFails((box, text) -> {
            throw new IllegalStateException("no");
        });
        assertFails((box, text) -> {
            Workflow.continueAsNew("again");
            return "";
        });
        assertFails((box, text) -> {
            Workflow.step("s", () -> {
                throw new IllegalStateException("in a step");
            });
            return "";
        });
    }

    @Test
    void handlerThatThrowsAnErrorAnswersNoAndDoesNotHarmTheRun() {
        assertFails((box, text) -> {
            throw new AssertionError("no");
        });
    }

    private static void assertFails(BiFunction<Box.Open, String, String> change) {
        simulate(sim -> {
            Dormouse dormouse = open(sim, changing(change));
            WorkflowHandle<String> handle = start(dormouse);
            sim.advance(SECOND);
            Box box = dormouse.workflow(Box.class, "b");
            assertClear(catchThrowable(() -> box.change("x")), ErrorCode.UPDATE_FAILED);
            assertThat(handle.describe().trouble()).isEmpty();
            handle.signal("put", "ok");
            handle.signal("end");
            assertThat(sim.result(handle)).isEqualTo("ok");
        });
    }

    @Test
    void handlersThatWaitAnswerLater() {
        List<BiFunction<Box.Open, String, String>> waits = List.of(
                (box, text) -> {
                    Workflow.sleep(SECOND.multipliedBy(2));
                    return text;
                },
                (box, text) -> {
                    Workflow.sleep(SECOND.multipliedBy(30));
                    return text;
                },
                (box, text) -> Workflow.step("s", String.class, () -> text),
                (box, text) -> {
                    Workflow.await(() -> box.seen.contains("go"));
                    return text;
                },
                (box, text) -> Workflow.await(MINUTE, () -> box.seen.contains("go")) ? text : "too late",
                (box, text) -> Workflow.async(() -> {
                            Workflow.sleep(SECOND.multipliedBy(20));
                            return text;
                        })
                        .get());
        for (BiFunction<Box.Open, String, String> wait : waits) {
            simulate(sim -> {
                Dormouse dormouse = open(sim, changing(wait));
                Dormouse client = client(sim);
                WorkflowHandle<String> handle = start(dormouse);
                TreeSet<String> answers = new TreeSet<>();
                for (int i = 0; i < 6; i++) {
                    Box box = (i % 2 == 0 ? dormouse : client).workflow(Box.class, "b");
                    String text = "" + i;
                    sim.inBackground(() -> answers.add(box.change(text)));
                }
                sim.advance(SECOND.multipliedBy(15));
                handle.signal("put", "go");
                sim.await("all answers", () -> answers.size() == 6);
                assertThat(answers).containsExactly("0", "1", "2", "3", "4", "5");
                handle.signal("end");
                assertThat(sim.result(handle)).isEqualTo("go");
            });
        }
    }

    @Test
    void updatesAndSignalsAreHandledInOneOrder() {
        simulate(sim -> {
            Dormouse client = client(sim);
            WorkflowHandle<String> handle = start(client);
            int[] done = {0};
            for (int i = 0; i < 5; i++) {
                String text = "" + i;
                client.workflow(Box.class, "b").put("s" + text);
                sim.inBackground(() -> {
                    client.workflow(Box.class, "b").change("u" + text);
                    done[0]++;
                });
                sim.advance(SECOND);
            }
            open(sim, Box.Open::new);
            sim.await("all answers", () -> done[0] == 5);
            client.workflow(Box.class, "b").end();
            assertThat(sim.result(handle)).isEqualTo("s0,u0,s1,u1,s2,u2,s3,u3,s4,u4");
        });
    }

    @Test
    void answerThatDoesNotSerializeOrIsTooLargeIsAFailureOfTheUpdate() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node ->
                    node.payloadLimit(1_000).workflow(Box.class, changing((box, text) -> "x".repeat(2_000))));
            WorkflowHandle<String> handle = start(dormouse);
            Throwable problem = catchThrowable(() -> handle.update("change", String.class, "x"));
            assertClear(problem, ErrorCode.UPDATE_FAILED);
            assertThat(problem.getMessage()).contains(ErrorCode.PAYLOAD_TOO_LARGE.label());
            handle.signal("end");
            assertThat(sim.result(handle)).isEmpty();
        });
    }

    @Test
    void delayedRunAnswersWhenItBegins() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, Box.Open::new);
            Box box = dormouse.workflow(Box.class, "b", StartOptions.DEFAULT.withStartDelay(HOUR));
            WorkflowHandle<String> handle = dormouse.start(() -> box.run("x"));
            Throwable early = catchThrowable(() -> handle.updateOnce("u", MINUTE, "change", String.class, "a"));
            assertClear(early, ErrorCode.NOT_ANSWERED);
            String answer = handle.updateOnce("u", HOUR, "change", String.class, "a");
            assertThat(answer).isEqualTo("changed to a");
            assertThat(sim.elapsed()).isBetween(HOUR, HOUR.plus(MINUTE));
        });
    }
}
