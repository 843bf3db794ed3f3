package dev.dormouse.message;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.UpdatableTimer;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.HistoryEvent;
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

/** Invalid queries: the caller gets a clear error, and the run is unharmed. */
class BadQueryTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private static Supplier<Box> looking(Runnable query) {
        return () -> new Box.Open() {
            @Override
            public String look(String at) {
                query.run();
                return at;
            }
        };
    }

    /** Queries a node with the code and a node without it. */
    private static void assertRefused(
            Runnable query, ErrorCode code, Consumer<WorkflowHandle<String>> call, boolean alsoElsewhere) {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> SimulatedDormouse.echo(node).workflow(Box.class, looking(query)));
            Dormouse client = sim.open(node -> node.remoteWorkflow(Box.class));
            Box box = dormouse.workflow(Box.class, "b");
            WorkflowHandle<String> handle = dormouse.start(() -> box.run(""));
            sim.advance(SECOND);
            List<HistoryEvent> before = handle.history();
            assertClear(catchThrowable(() -> call.accept(handle)), code);
            if (alsoElsewhere) {
                WorkflowHandle<String> there = client.find("b", String.class).orElseThrow();
                Throwable problem = catchThrowable(() -> call.accept(there));
                assertThat(problem).isNotNull();
                assertThat(problem.getMessage()).matches("(?s)\\[DM\\d{4}\\] Expected .+, but.+");
                assertThat(problem.getMessage()).contains(code.label());
            }
            assertThat(handle.history()).isEqualTo(before);
            assertThat(handle.describe().status()).isEqualTo(RunStatus.WAITING);
            handle.signal("end");
            assertThat(sim.result(handle)).isEmpty();
            sim.assertStillWorks(dormouse);
        });
    }

    private static void assertRefused(Runnable query, ErrorCode code) {
        assertRefused(query, code, handle -> handle.query("look", String.class, "x"), true);
    }

    private static void assertRefused(ErrorCode code, Consumer<WorkflowHandle<String>> call) {
        assertRefused(() -> {}, code, call, true);
    }

    @Test
    void queryThatThrowsFailsForTheCaller() {
        assertRefused(
                () -> {
                    throw new IllegalStateException("no");
                },
                ErrorCode.QUERY_FAILED);
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(Box.class, looking(() -> {
                throw new IllegalStateException("the reason");
            })));
            Box box = dormouse.workflow(Box.class, "b");
            dormouse.start(() -> box.run(""));
            Throwable problem = catchThrowable(() -> box.look("x"));
            assertThat(problem.getMessage()).contains("IllegalStateException").contains("the reason");
            assertThat(problem.getMessage()).contains("look");
        });
    }

    @Test
    void queryThatThrowsAJavaErrorFailsForTheCaller() {
        assertRefused(
                () -> {
                    throw new AssertionError("no");
                },
                ErrorCode.QUERY_FAILED);
        assertRefused(BadQueryTest::recurse, ErrorCode.QUERY_FAILED);
    }

    private static void recurse() {
        if (!Thread.currentThread().isInterrupted()) {
            recurse();
        }
    }

    @Test
    void queryThatWaitsOrSchedulesIsRefused() {
        Map<String, Runnable> queries = new LinkedHashMap<>();
        queries.put("sleep", () -> Workflow.sleep(HOUR));
        queries.put("no sleep", () -> Workflow.sleep(Duration.ZERO));
        queries.put("await", () -> Workflow.await(() -> false));
        queries.put("await for a time", () -> Workflow.await(HOUR, () -> false));
        queries.put("wait for signal", () -> Workflow.waitForSignal(HOUR));
        queries.put("step", () -> Workflow.step("s", () -> {}));
        queries.put("timer", () -> Workflow.newTimer(HOUR));
        queries.put("async", () -> Workflow.async(() -> ""));
        queries.put("child", () -> Workflow.child("echo", "e", String.class, "x"));
        queries.put("version", () -> Workflow.version("x", 1, 2));
        queries.put("random", Workflow::randomUuid);
        queries.put("continue as new", () -> Workflow.continueAsNew("x"));
        List<String> wrong = new ArrayList<>();
        queries.forEach((name, query) -> {
            try {
                assertRefused(query, ErrorCode.NOT_ALLOWED_HERE);
            } catch (AssertionError problem) {
                wrong.add(name + ": " + problem.getMessage().lines().limit(6).toList());
            }
        });
        assertThat(wrong).isEmpty();
    }

    @Test
    void queryThatSendsASignalIsRefused() {
        assertRefused(() -> Workflow.signal("b", "put", "x"), ErrorCode.NOT_ALLOWED_HERE);
    }

    @Test
    void signalOfAQueryIsNotSent() {
        simulate(sim -> {
            Dormouse dormouse =
                    sim.open(node -> node.workflow(Box.class, looking(() -> Workflow.signal("b", "put", "x"))));
            Box box = dormouse.workflow(Box.class, "b");
            WorkflowHandle<String> handle = dormouse.start(() -> box.run(""));
            Throwable refused = catchThrowable(() -> box.look("x"));
            sim.log("" + refused);
            box.put("y");
            sim.advance(HOUR);
            box.end();
            assertThat(sim.result(handle)).isEqualTo("y");
        });
    }

    @Test
    void queryThatMovesATimerChangesNothing() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(Box.class, () -> new Box.Open() {
                private final UpdatableTimer timer = Workflow.newUpdatableTimer();

                @Override
                public String run(String input) {
                    timer.sleepUntil(Workflow.now().plus(HOUR));
                    return "done";
                }

                @Override
                public String look(String at) {
                    timer.updateWakeUpTime(timer.wakeUpTime().plus(HOUR));
                    return "" + timer.changes().size();
                }
            }));
            Box box = dormouse.workflow(Box.class, "b");
            WorkflowHandle<String> handle = dormouse.start(() -> box.run(""));
            sim.advance(SECOND);
            for (int i = 0; i < 3; i++) {
                Throwable problem = catchThrowable(() -> box.look("x"));
                sim.log("" + problem);
            }
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(sim.elapsed()).isLessThan(HOUR.plusSeconds(5));
        });
    }

    @Test
    void unknownQueryIsRefused() {
        assertRefused(ErrorCode.UNKNOWN_QUERY, handle -> handle.query("nonsense", String.class));
        assertRefused(ErrorCode.UNKNOWN_QUERY, handle -> handle.query("put", String.class, "x"));
        assertRefused(ErrorCode.UNKNOWN_QUERY, handle -> handle.query("run", String.class, "x"));
    }

    @Test
    void queryWithoutANameIsRefused() {
        assertRefused(() -> {}, ErrorCode.UNKNOWN_QUERY, handle -> handle.query("", String.class), false);
        assertRefused(() -> {}, ErrorCode.UNKNOWN_QUERY, handle -> handle.query(null, String.class), false);
    }

    @Test
    void wrongArgumentsAreRefused() {
        assertRefused(ErrorCode.PAYLOAD_DOES_NOT_FIT, handle -> handle.query("look", String.class));
        assertRefused(ErrorCode.PAYLOAD_DOES_NOT_FIT, handle -> handle.query("look", String.class, "a", "b"));
        assertRefused(ErrorCode.PAYLOAD_DOES_NOT_FIT, handle -> handle.query("look", String.class, List.of()));
    }

    @Test
    void answerOfAnotherTypeIsRefused() {
        assertRefused(ErrorCode.PAYLOAD_DOES_NOT_FIT, handle -> handle.query("seen", Integer.class));
        assertRefused(ErrorCode.PAYLOAD_DOES_NOT_FIT, handle -> handle.query("look", int.class, "x"));
    }

    @Test
    void answerThatDoesNotSerializeOrIsTooLargeIsAClearError() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.payloadLimit(1_000).workflow(Box.class, () -> new Box.Open() {
                @Override
                public String look(String at) {
                    return "x".repeat(2_000);
                }
            }));
            Box box = dormouse.workflow(Box.class, "b");
            WorkflowHandle<String> handle = dormouse.start(() -> box.run(""));
            assertThat(catchThrowable(() -> box.look("x")).getMessage()).contains(ErrorCode.PAYLOAD_TOO_LARGE.label());
            handle.signal("end");
            assertThat(sim.result(handle)).isEmpty();
        });
    }

    @Test
    void functionHasNoQueries() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(SimulatedDormouse::echo);
            WorkflowHandle<String> handle = dormouse.start("echo", "e", String.class, "x");
            assertClear(catchThrowable(() -> handle.query("seen", String.class)), ErrorCode.UNKNOWN_QUERY);
            assertThat(sim.result(handle)).isEqualTo("x");
        });
    }

    @Test
    void queryOfARunWhoseCodeDoesNotMatchIsAClearError() {
        simulate(sim -> {
            Dormouse one = sim.open(node -> node.workflow(Box.class, () -> new Box.Open() {
                @Override
                public String run(String input) {
                    Workflow.step("one", () -> {});
                    Workflow.sleep(HOUR);
                    return "done";
                }
            }));
            Box box = one.workflow(Box.class, "b");
            one.start(() -> box.run(""));
            sim.advance(SECOND);
            sim.kill(one);
            Dormouse two = sim.open(node -> node.workflow(Box.class, () -> new Box.Open() {
                @Override
                public String run(String input) {
                    Workflow.step("other", () -> sim.log("executed"));
                    Workflow.sleep(HOUR);
                    return "done";
                }
            }));
            Throwable problem =
                    catchThrowable(() -> two.workflow(Box.class, "b").seen());
            assertClear(problem, ErrorCode.CODE_DOES_NOT_MATCH);
            assertThat(sim.log()).isEmpty();
        });
    }
}
