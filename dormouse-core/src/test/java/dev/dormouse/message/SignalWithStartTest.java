package dev.dormouse.message;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.SignalMethod;
import dev.dormouse.StartOptions;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Box;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.testing.sim.FaultProfile;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Signal-with-start. */
class SignalWithStartTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Records the signals received before its first line, then waits for the end. */
    private static Supplier<Box> code() {
        return () -> new Box.Open() {
            @Override
            public String run(String input) {
                String atFirst = "" + seen;
                Workflow.await(() -> ended || input.equals("at once"));
                if (seen.contains("fail")) {
                    throw new IllegalStateException("as asked");
                }
                return input + " " + atFirst + " " + seen;
            }
        };
    }

    private static Dormouse open(SimulatedDormouse sim) {
        return sim.open(node -> node.workflow(Box.class, code()).payloadLimit(1_000));
    }

    private static Dormouse client(SimulatedDormouse sim) {
        return sim.open(node -> node.remoteWorkflow(Box.class));
    }

    private static WorkflowHandle<String> send(Dormouse dormouse, StartOptions options, String input, String text) {
        Box box = dormouse.workflow(Box.class, "b", options);
        return dormouse.signalWithStart(() -> box.run(input), () -> box.put(text));
    }

    private static WorkflowHandle<String> send(Dormouse dormouse, String input, String text) {
        return send(dormouse, StartOptions.DEFAULT, input, text);
    }

    @Test
    void newRunHasTheSignalBeforeItsFirstLine() {
        simulate(sim -> {
            assertThat(sim.result(send(open(sim), "at once", "a"))).isEqualTo("at once [a] [a]");
        });
        simulate(sim -> {
            WorkflowHandle<String> handle = send(client(sim), "at once", "a");
            sim.advance(MINUTE);
            open(sim);
            assertThat(sim.result(handle)).isEqualTo("at once [a] [a]");
        });
    }

    @Test
    void byNamesItIsTheSame() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> handle =
                    dormouse.signalWithStart("Box", "b", StartOptions.DEFAULT, String.class, List.of("x"), "put", "a");
            dormouse.signalWithStart("Box", "b", StartOptions.DEFAULT, String.class, List.of("y"), "end");
            assertThat(sim.result(handle)).isEqualTo("x [a] [a]");
        });
    }

    /** A workflow without a result. */
    @WorkflowInterface
    interface Quiet {
        @WorkflowMethod
        void run();

        @SignalMethod
        void put(String text);
    }

    @Test
    void workflowWithoutAResultIsStartedToo() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(Quiet.class, () -> new Quiet() {
                @Override
                public void run() {
                    sim.log("run");
                }

                @Override
                public void put(String text) {
                    sim.log(text);
                }
            }));
            Quiet quiet = dormouse.workflow(Quiet.class);
            WorkflowHandle<Void> handle = dormouse.signalWithStart(quiet::run, () -> quiet.put("a"));
            assertThat(sim.result(handle)).isNull();
            assertThat(sim.log()).containsExactly("a", "run");
            Runnable none = null;
            assertClear(
                    catchThrowable(() -> dormouse.signalWithStart(none, () -> quiet.put("a"))), ErrorCode.BAD_ARGUMENT);
            assertClear(catchThrowable(() -> dormouse.signalWithStart(quiet::run, none)), ErrorCode.BAD_ARGUMENT);
            assertClear(
                    catchThrowable(() -> dormouse.signalWithStart(() -> {}, () -> quiet.put("a"))),
                    ErrorCode.BAD_STUB_CALL);
            assertClear(
                    catchThrowable(() -> dormouse.signalWithStart(quiet::run, () -> quiet.put("late"))),
                    ErrorCode.RUN_CLOSED);
            dormouse.close();
            assertClear(
                    catchThrowable(() -> dormouse.signalWithStart(quiet::run, () -> quiet.put("a"))),
                    ErrorCode.DORMOUSE_CLOSED);
        });
    }

    @Test
    void openRunGetsTheSignalAndKeepsItsInput() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> first = send(dormouse, "first", "a");
            sim.advance(MINUTE);
            WorkflowHandle<String> second = send(client(sim), "second", "b");
            assertThat(second.runId()).isEqualTo(first.runId());
            first.signal("end");
            assertThat(sim.result(second)).isEqualTo("first [a] [a, b]");
        });
    }

    @Test
    void closedRunIsNotReplacedByDefault() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> first = send(dormouse, "at once", "a");
            sim.result(first);
            assertClear(catchThrowable(() -> send(dormouse, "at once", "b")), ErrorCode.RUN_CLOSED);
            assertThat(dormouse.find("b", String.class).orElseThrow().runId()).isEqualTo(first.runId());
        });
    }

    @Test
    void closedRunIsReplacedIfTheOptionsSaySo() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            StartOptions anew = StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW);
            StartOptions unless = StartOptions.DEFAULT.withIdReuse(IdReuse.START_UNLESS_COMPLETED);
            sim.result(send(dormouse, "at once", "a"));
            assertClear(catchThrowable(() -> send(dormouse, unless, "at once", "b")), ErrorCode.RUN_CLOSED);
            assertThat(sim.result(send(dormouse, anew, "at once", "c"))).isEqualTo("at once [c] [c]");
            sim.failure(send(dormouse, anew, "at once", "fail"));
            assertThat(sim.result(send(dormouse, unless, "at once", "d"))).isEqualTo("at once [d] [d]");
        });
    }

    @Test
    void rejectedStartSendsNoSignal() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> first = send(dormouse, "x", "a");
            StartOptions reject = StartOptions.DEFAULT.withIdReuse(IdReuse.REJECT);
            assertClear(catchThrowable(() -> send(dormouse, reject, "x", "b")), ErrorCode.WORKFLOW_ID_TAKEN);
            first.signal("end");
            assertThat(sim.result(first)).isEqualTo("x [a] [a]");
            assertClear(catchThrowable(() -> send(dormouse, reject, "x", "b")), ErrorCode.WORKFLOW_ID_TAKEN);
        });
    }

    @Test
    void delayedRunBeginsInTimeWithAllSignals() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Instant begin = sim.now().plus(MINUTE.multipliedBy(30));
            StartOptions later = StartOptions.DEFAULT.withStartAt(begin);
            WorkflowHandle<String> handle = send(dormouse, later, "at once", "a");
            sim.advance(MINUTE.multipliedBy(10));
            assertThat(handle.describe().status()).isEqualTo(RunStatus.PENDING);
            send(dormouse, later, "at once", "b");
            assertThat(sim.result(handle)).isEqualTo("at once [a, b] [a, b]");
            assertThat(handle.describe().closedAt().orElseThrow()).isAfterOrEqualTo(begin);
        });
    }

    @Test
    void manyCallersAreOneRunWithAllSignals() {
        for (FaultProfile connection :
                List.of(FaultProfile.CALM, FaultProfile.CALM.withLatency(MINUTE.dividedBy(60)))) {
            simulate(sim -> {
                List<Dormouse> nodes = new ArrayList<>(List.of(open(sim), client(sim)));
                nodes.add(sim.open(connection, node -> node.workflow(Box.class, code())));
                nodes.add(sim.open(connection, node -> node.remoteWorkflow(Box.class)));
                Set<UUID> runs = new HashSet<>();
                int[] back = {0};
                for (int i = 0; i < 24; i++) {
                    int number = i;
                    sim.inBackground(() -> {
                        runs.add(send(nodes.get(number % 4), "x", "" + number).runId());
                        back[0]++;
                    });
                }
                sim.await("all to be back", () -> back[0] == 24);
                WorkflowHandle<String> handle =
                        nodes.get(0).find("b", String.class).orElseThrow();
                assertThat(runs).containsExactly(handle.runId());
                sim.advance(MINUTE);
                assertThat(nodes.get(0).workflow(Box.class, "b").seen())
                        .hasSize(24)
                        .doesNotHaveDuplicates();
            });
        }
    }

    @Test
    void callersThatRaceTheCloseEachHaveTheirSignalInExactlyOneRun() {
        simulate(sim -> {
            Supplier<Box> quick = () -> new Box.Open() {
                @Override
                public String run(String input) {
                    Workflow.await(() -> !seen.isEmpty());
                    return String.join(",", seen);
                }
            };
            Dormouse one = sim.open(node -> node.workflow(Box.class, quick));
            Dormouse two = sim.open(node -> node.workflow(Box.class, quick));
            StartOptions anew = StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW);
            List<String> results = new ArrayList<>();
            Set<UUID> runs = new HashSet<>();
            int[] back = {0};
            for (int i = 0; i < 60; i++) {
                int number = i;
                sim.inBackground(() -> {
                    sim.advance(Duration.ofMillis(number % 20));
                    WorkflowHandle<String> handle = send(number % 2 == 0 ? one : two, anew, "x", "" + number);
                    handle.result(); // what comes after the code has returned is handled, but too late for the result
                    String result = String.join(",", handle.query("seen", String[].class));
                    assertThat(result.split(",")).contains("" + number);
                    if (runs.add(handle.runId())) {
                        results.addAll(List.of(result.split(",")));
                    }
                    back[0]++;
                });
            }
            sim.await("all to be back", () -> back[0] == 60);
            assertThat(results).hasSize(60).doesNotHaveDuplicates();
        });
    }

    @Test
    void badSignalStartsNothing() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Box box = dormouse.workflow(Box.class, "b");
            List<Runnable> calls = List.of(
                    () -> byName(dormouse, "nonsense"),
                    () -> byName(dormouse, "put"),
                    () -> byName(dormouse, "add", "no number"),
                    () -> byName(dormouse, "put", "x".repeat(1_000)),
                    () -> byName(dormouse, ""),
                    () -> dormouse.signalWithStart(() -> box.run("x"), () -> box.seen()),
                    () -> dormouse.signalWithStart(() -> box.run("x"), () -> box.change("x")),
                    () -> dormouse.signalWithStart(() -> box.run("x"), () -> box.run("x")),
                    () -> dormouse.signalWithStart(() -> box.run("x"), () -> {}),
                    () -> dormouse.signalWithStart(() -> "x", () -> box.put("x")),
                    () -> dormouse.signalWithStart(
                            () -> box.run("x"), () -> other(dormouse).put("x")));
            for (Runnable call : calls) {
                Throwable problem = catchThrowable(call::run);
                assertThat(problem).as("call " + calls.indexOf(call)).isNotNull();
                assertThat(problem.getMessage()).matches("\\[DM\\d{4}\\] Expected .+, but.*");
                assertThat(dormouse.find("b", String.class)).isEmpty();
                assertThat(dormouse.find("other", String.class)).isEmpty();
            }
        });
    }

    private static Box other(Dormouse dormouse) {
        return dormouse.workflow(Box.class, "other");
    }

    private static void byName(Dormouse dormouse, String signal, Object... arguments) {
        dormouse.signalWithStart("Box", "b", StartOptions.DEFAULT, String.class, List.of("x"), signal, arguments);
    }

    @Test
    void signalThatIsSentTwiceInOneCallIsRefused() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Box box = dormouse.workflow(Box.class, "b");
            Throwable problem = catchThrowable(() -> dormouse.signalWithStart(() -> box.run("x"), () -> {
                box.put("a");
                box.put("b");
            }));
            assertClear(problem, ErrorCode.BAD_STUB_CALL);
            assertThat(dormouse.find("b", String.class)).isEmpty();
        });
    }
}
