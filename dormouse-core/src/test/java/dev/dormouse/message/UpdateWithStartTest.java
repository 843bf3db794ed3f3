package dev.dormouse.message;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.StartOptions;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.UpdateFailedException;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Box;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.testing.sim.FaultProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Update-with-start. */
class UpdateWithStartTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Records the updates received before its first line, then waits for the end. */
    private static Supplier<Box> code(SimulatedDormouse sim) {
        return () -> new Box.Open() {
            @Override
            public String run(String input) {
                String atFirst = "" + seen;
                if (input.equals("continues")) {
                    Workflow.continueAsNew("x");
                }
                Workflow.await(() -> ended || input.equals("at once"));
                Workflow.awaitHandlers();
                if (seen.contains("fail")) {
                    throw new IllegalStateException("as asked");
                }
                return input + " " + atFirst + " " + seen;
            }

            @Override
            public String change(String text) {
                String before = super.change(text);
                if (text.startsWith("slow")) {
                    Workflow.step(text, () -> sim.log(text));
                    Workflow.sleep(Duration.ofSeconds(20));
                }
                if (text.startsWith("throws")) {
                    throw new IllegalStateException(text);
                }
                return before;
            }
        };
    }

    private static Dormouse open(SimulatedDormouse sim) {
        return sim.open(node -> node.workflow(Box.class, code(sim)).payloadLimit(1_000));
    }

    private static Dormouse client(SimulatedDormouse sim) {
        return sim.open(node -> node.remoteWorkflow(Box.class));
    }

    private static String send(Dormouse dormouse, StartOptions options, String id, String input, String text) {
        Box box = dormouse.workflow(Box.class, "b", options);
        return dormouse.updateWithStart(id, MINUTE, () -> box.run(input), () -> box.change(text));
    }

    private static String send(Dormouse dormouse, StartOptions options, String input, String text) {
        return send(dormouse, options, UUID.randomUUID().toString(), input, text);
    }

    private static WorkflowHandle<String> latest(Dormouse dormouse) {
        return dormouse.find("b", String.class).orElseThrow();
    }

    @Test
    void newRunHasTheUpdateBeforeItsFirstLine() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            assertThat(send(dormouse, StartOptions.DEFAULT, "x", "a")).isEqualTo("changed to a");
            latest(dormouse).signal("end");
            assertThat(sim.result(latest(dormouse))).isEqualTo("x [a] [a]");
            assertThat(Scenario.kinds(latest(dormouse))).startsWith("RunStarted", "UpdateAnswered");
        });
        simulate(sim -> {
            String[] answer = {""};
            Dormouse client = client(sim);
            sim.inBackground(() -> answer[0] = send(client, StartOptions.DEFAULT, "at once", "a"));
            sim.advance(SECOND.multipliedBy(20));
            assertThat(answer[0]).isEmpty();
            Dormouse dormouse = open(sim);
            sim.await("an answer", () -> !answer[0].isEmpty());
            assertThat(answer[0]).isEqualTo("changed to a");
            assertThat(sim.result(latest(dormouse))).isEqualTo("at once [a] [a]");
        });
    }

    @Test
    void openRunGetsTheUpdateAndKeepsItsInput() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            assertThat(send(dormouse, StartOptions.DEFAULT, "first", "a")).isEqualTo("changed to a");
            UUID run = latest(dormouse).runId();
            sim.advance(MINUTE);
            assertThat(send(client(sim), StartOptions.DEFAULT, "second", "b")).isEqualTo("changed to b");
            assertThat(latest(dormouse).runId()).isEqualTo(run);
            latest(dormouse).signal("end");
            assertThat(sim.result(latest(dormouse))).isEqualTo("first [a] [a, b]");
        });
    }

    @Test
    void updatesWithoutAResultAndByNameAreSentToo() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Box box = dormouse.workflow(Box.class, "b");
            dormouse.updateWithStart(() -> box.run("x"), () -> box.set("a"));
            assertThat(dormouse.updateWithStart(() -> box.run("x"), () -> box.change("b")))
                    .isEqualTo("changed to b");
            assertThat(dormouse.updateWithStart(
                            "Box", "b", StartOptions.DEFAULT, List.of("x"), "id", MINUTE, "change", String.class, "c"))
                    .isEqualTo("changed to c");
            assertThat(dormouse.updateWithStart(
                            "Box", "n", StartOptions.DEFAULT, List.of("x"), "id", MINUTE, "set", Void.class, "d"))
                    .isNull();
            assertThat(box.seen()).containsExactly("a", "b", "c");
            assertThat(dormouse.workflow(Box.class, "n").seen()).containsExactly("d");
        });
    }

    @Test
    void repeatedCallHasTheSameAnswerAndStartsNothing() {
        for (IdReuse reuse : IdReuse.values()) {
            for (boolean isStarted : List.of(false, true)) {
                simulate(sim -> {
                    StartOptions options = StartOptions.DEFAULT.withIdReuse(reuse);
                    Dormouse dormouse = open(sim);
                    if (isStarted && reuse != IdReuse.REJECT) {
                        send(dormouse, options, "x", "before");
                    }
                    for (Dormouse node : List.of(dormouse, client(sim), dormouse)) {
                        assertThat(send(node, options, "id", "x", "slow")).isEqualTo("changed to slow");
                    }
                    UUID run = latest(dormouse).runId();
                    latest(dormouse).signal("end");
                    sim.result(latest(dormouse));
                    for (Dormouse node : List.of(dormouse, client(sim))) {
                        assertThat(send(node, options, "id", "x", "slow")).isEqualTo("changed to slow");
                    }
                    assertThat(latest(dormouse).runId()).isEqualTo(run);
                    assertThat(sim.count("slow")).isEqualTo(1);
                });
            }
        }
    }

    @Test
    void repeatedCallFindsTheAnswerInAnEarlierRunOfTheChain() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            String answer = send(dormouse, StartOptions.DEFAULT, "id", "continues", "a");
            assertThat(answer).isEqualTo("changed to a");
            sim.advance(MINUTE);
            assertThat(latest(dormouse).describe().status()).isEqualTo(RunStatus.WAITING);
            assertThat(send(dormouse, StartOptions.DEFAULT, "id", "continues", "a"))
                    .isEqualTo(answer);
            assertThat(dormouse.workflow(Box.class, "b").seen()).isEmpty();
        });
    }

    @Test
    void closedRunIsReplacedIfTheOptionsSaySo() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            StartOptions anew = StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW);
            StartOptions unless = StartOptions.DEFAULT.withIdReuse(IdReuse.START_UNLESS_COMPLETED);
            send(dormouse, StartOptions.DEFAULT, "at once", "a");
            sim.result(latest(dormouse));
            for (StartOptions not : List.of(StartOptions.DEFAULT, unless)) {
                assertClear(catchThrowable(() -> send(dormouse, not, "at once", "b")), ErrorCode.RUN_CLOSED);
            }
            send(dormouse, anew, "at once", "c");
            assertThat(sim.result(latest(dormouse))).isEqualTo("at once [c] [c]");
            send(dormouse, anew, "at once", "fail");
            sim.failure(latest(dormouse));
            assertThat(send(dormouse, unless, "at once", "d")).isEqualTo("changed to d");
        });
    }

    @Test
    void rejectedStartSendsNoUpdate() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            StartOptions reject = StartOptions.DEFAULT.withIdReuse(IdReuse.REJECT);
            assertThat(send(dormouse, reject, "x", "a")).isEqualTo("changed to a");
            assertClear(catchThrowable(() -> send(dormouse, reject, "x", "b")), ErrorCode.WORKFLOW_ID_TAKEN);
            latest(dormouse).signal("end");
            assertThat(sim.result(latest(dormouse))).isEqualTo("x [a] [a]");
            assertClear(catchThrowable(() -> send(dormouse, reject, "x", "b")), ErrorCode.WORKFLOW_ID_TAKEN);
        });
    }

    @Test
    void runThatWasStartedStaysIfTheUpdateIsRefusedOrFails() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Box box = dormouse.workflow(Box.class, "b");
            Throwable refused =
                    catchThrowable(() -> dormouse.updateWithStart(() -> box.run("x"), () -> box.set("bad")));
            assertClear(refused, ErrorCode.UPDATE_REJECTED);
            assertThat(((UpdateFailedException) refused)).hasMessageContaining("bad must not be set");
            assertThat(box.seen()).isEmpty();
            assertThat(dormouse.updateWithStart(() -> box.run("y"), () -> box.change("good")))
                    .isEqualTo("changed to good");
            latest(dormouse).signal("end");
            assertThat(sim.result(latest(dormouse))).isEqualTo("x [] [good]");
        });
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Throwable failed = catchThrowable(() -> send(dormouse, StartOptions.DEFAULT, "x", "throws it"));
            assertClear(failed, ErrorCode.UPDATE_FAILED);
            assertThat(latest(dormouse).describe().status().isClosed()).isFalse();
        });
    }

    @Test
    void updateSurvivesKillsAndTakeovers() {
        for (long kill : List.of(0L, 1L, 2L, 3L, 5L, 8L, 13L, 21L, 400L, 3_000L, 12_000L)) {
            simulate(sim -> {
                Dormouse client = client(sim);
                Dormouse one = open(sim);
                String[] answer = {""};
                sim.inBackground(() -> answer[0] = send(client, StartOptions.DEFAULT, "id", "x", "slow"));
                sim.advance(Duration.ofMillis(kill));
                sim.kill(one);
                Dormouse two = open(sim);
                sim.advance(SECOND.multipliedBy(16).plusMillis(kill));
                sim.kill(two);
                Dormouse three = open(sim);
                sim.await("an answer", () -> !answer[0].isEmpty());
                assertThat(answer[0]).as("killed after " + kill).isEqualTo("changed to slow");
                assertThat(send(three, StartOptions.DEFAULT, "id", "x", "slow")).isEqualTo("changed to slow");
                latest(three).signal("end");
                assertThat(sim.result(latest(three))).isEqualTo("x [slow] [slow]");
            });
        }
    }

    @Test
    void callerThatIsKilledFindsItsAnswerOnAnotherNode() {
        for (long kill : List.of(0L, 1L, 2L, 3L, 4L, 5L, 7L, 9L, 30L)) {
            simulate(sim -> {
                Dormouse one = open(sim);
                sim.inBackground(() -> {
                    Throwable killed = catchThrowable(() -> send(one, StartOptions.DEFAULT, "id", "x", "slow"));
                    assertThat(killed).isNotNull();
                });
                sim.advance(Duration.ofMillis(kill));
                sim.kill(one);
                Dormouse two = open(sim);
                assertThat(send(two, StartOptions.DEFAULT, "id", "x", "slow")).isEqualTo("changed to slow");
                latest(two).signal("end");
                assertThat(sim.result(latest(two))).isEqualTo("x [slow] [slow]");
            });
        }
    }

    @Test
    void runThatIsResetAnswersTheUpdateAgain() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            send(dormouse, StartOptions.DEFAULT, "id", "at once", "slow");
            sim.result(latest(dormouse));
            int last = latest(dormouse).history().size() - 1;
            for (int events = last; events >= 1; events--) {
                WorkflowHandle<String> again = latest(dormouse).reset(events);
                assertThat(send(client(sim), StartOptions.DEFAULT, "id", "at once", "slow"))
                        .isEqualTo("changed to slow");
                assertThat(sim.result(again)).isEqualTo("at once [slow] [slow]");
            }
        });
    }

    @Test
    void delayedRunAnswersWhenItHasBegun() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            StartOptions later = StartOptions.DEFAULT.withStartDelay(MINUTE.multipliedBy(10));
            assertClear(catchThrowable(() -> send(dormouse, later, "id", "x", "a")), ErrorCode.NOT_ANSWERED);
            assertThat(latest(dormouse).describe().status()).isEqualTo(RunStatus.PENDING);
            sim.advance(MINUTE.multipliedBy(10));
            assertThat(send(dormouse, later, "id", "x", "a")).isEqualTo("changed to a");
            assertThat(dormouse.workflow(Box.class, "b").seen()).containsExactly("a");
        });
    }

    @Test
    void runThatClosesWithoutAnAnswerRefusesTheUpdate() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(Box.class, () -> new Box.Open() {
                @Override
                public String run(String input) {
                    return "gone";
                }

                @Override
                public String change(String text) {
                    Workflow.sleep(MINUTE);
                    return text;
                }
            }));
            Throwable problem = catchThrowable(() -> send(dormouse, StartOptions.DEFAULT, "x", "a"));
            assertThat(problem).hasMessageContaining("the workflow ended before its handler returned");
        });
    }

    @Test
    void manyCallersAreOneRunWithAllUpdates() {
        for (FaultProfile connection : List.of(FaultProfile.CALM, FaultProfile.CALM.withLatency(SECOND))) {
            simulate(sim -> {
                List<Dormouse> nodes = new ArrayList<>(List.of(open(sim), client(sim)));
                nodes.add(sim.open(connection, node -> node.workflow(Box.class, code(sim))));
                nodes.add(sim.open(connection, node -> node.remoteWorkflow(Box.class)));
                int[] back = {0};
                for (int i = 0; i < 24; i++) {
                    int number = i;
                    sim.inBackground(() -> {
                        String answer = send(nodes.get(number % 4), StartOptions.DEFAULT, "x", "" + number);
                        assertThat(answer).isEqualTo("changed to " + number);
                        back[0]++;
                    });
                }
                sim.await("all to be back", () -> back[0] == 24);
                assertThat(nodes.get(0).workflow(Box.class, "b").seen())
                        .hasSize(24)
                        .doesNotHaveDuplicates();
            });
        }
    }

    @Test
    void manyCallersUnderOneIdAreOneUpdate() {
        simulate(sim -> {
            List<Dormouse> nodes = List.of(open(sim), client(sim), open(sim));
            int[] back = {0};
            for (int i = 0; i < 12; i++) {
                int number = i;
                sim.inBackground(() -> {
                    sim.advance(Duration.ofMillis(number));
                    assertThat(send(nodes.get(number % 3), StartOptions.DEFAULT, "id", "x", "slow"))
                            .isEqualTo("changed to slow");
                    back[0]++;
                });
            }
            sim.await("all to be back", () -> back[0] == 12);
            assertThat(nodes.get(0).workflow(Box.class, "b").seen()).containsExactly("slow");
        });
    }

    @Test
    void callersThatRaceTheCloseAreAnsweredOnce() {
        simulate(sim -> {
            Dormouse one = open(sim);
            Dormouse two = open(sim);
            StartOptions anew = StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW);
            int[] back = {0};
            for (int i = 0; i < 40; i++) {
                int number = i;
                sim.inBackground(() -> {
                    sim.advance(Duration.ofMillis(number % 20));
                    assertThat(send(number % 2 == 0 ? one : two, anew, "at once", "" + number))
                            .isEqualTo("changed to " + number);
                    back[0]++;
                });
            }
            sim.await("all to be back", () -> back[0] == 40);
        });
    }

    @Test
    void unknownUpdateOfARemoteTypeFailsInTheRun() {
        simulate(sim -> {
            open(sim);
            Dormouse client = sim.open(node -> node.anyRemoteWorkflow());
            Throwable problem = catchThrowable(() -> client.updateWithStart(
                    "Box", "b", StartOptions.DEFAULT, List.of("x"), "id", MINUTE, "nonsense", String.class));
            assertClear(problem, ErrorCode.UPDATE_FAILED);
            assertThat(problem).hasMessageContaining("nonsense");
        });
    }

    @Test
    void openRunOfAnotherTypeGetsTheUpdate() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(Box.class, code(sim))
                    .workflow("other", String.class, String.class, (ctx, input) -> {
                        ctx.sleep(MINUTE);
                        return "";
                    }));
            dormouse.start("other", "b", String.class, "");
            Throwable problem = catchThrowable(() -> send(dormouse, StartOptions.DEFAULT, "x", "a"));
            assertClear(problem, ErrorCode.UPDATE_FAILED);
            assertThat(problem).hasMessageContaining("update of workflow type 'other'");
        });
    }

    @Test
    void badCallsStartNothing() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Box box = dormouse.workflow(Box.class, "b");
            Box other = dormouse.workflow(Box.class, "other");
            Runnable none = null;
            Supplier<String> nothing = null;
            List<Runnable> calls = List.of(
                    () -> byName(dormouse, "id", "nonsense", "x"),
                    () -> byName(dormouse, "id", "change"),
                    () -> byName(dormouse, "id", "change", "x".repeat(1_000)),
                    () -> byName(dormouse, "id", "", "x"),
                    () -> byName(dormouse, "", "change", "x"),
                    () -> byName(dormouse, null, "change", "x"),
                    () -> dormouse.updateWithStart(() -> box.run("x"), () -> box.seen()),
                    () -> dormouse.updateWithStart(() -> box.run("x"), () -> box.put("x")),
                    () -> dormouse.updateWithStart(() -> box.run("x"), () -> box.run("x")),
                    () -> dormouse.updateWithStart(() -> box.run("x"), () -> {}),
                    () -> dormouse.updateWithStart(() -> box.run("x"), none),
                    () -> dormouse.updateWithStart(() -> box.run("x"), nothing),
                    () -> dormouse.updateWithStart(none, () -> box.change("x")),
                    () -> dormouse.updateWithStart(() -> {}, () -> box.change("x")),
                    () -> dormouse.updateWithStart("id", null, () -> box.run("x"), () -> box.change("x")),
                    () -> dormouse.updateWithStart(() -> box.run("x"), () -> box.change("x") + box.change("y")),
                    () -> dormouse.updateWithStart(() -> box.run("x"), () -> other.change("x")));
            for (Runnable call : calls) {
                Throwable problem = catchThrowable(call::run);
                assertThat(problem).as("call " + calls.indexOf(call)).isNotNull();
                assertThat(problem.getMessage()).matches("\\[DM\\d{4}\\] Expected .+, but.*");
                assertThat(dormouse.find("b", String.class)).isEmpty();
                assertThat(dormouse.find("other", String.class)).isEmpty();
            }
            dormouse.close();
            assertClear(
                    catchThrowable(() -> dormouse.updateWithStart(() -> box.run("x"), () -> box.change("x"))),
                    ErrorCode.DORMOUSE_CLOSED);
        });
    }

    private static void byName(Dormouse dormouse, String id, String update, Object... arguments) {
        dormouse.updateWithStart(
                "Box", "b", StartOptions.DEFAULT, List.of("x"), id, MINUTE, update, String.class, arguments);
    }

    @Test
    void callInWorkflowCodeIsRefused() {
        simulate(sim -> {
            Dormouse[] node = new Dormouse[1];
            node[0] = sim.open(builder -> Scenario.with(builder, (ctx, input) -> {
                        Throwable problem = catchThrowable(() -> byName(node[0], "id", "change", "x"));
                        return problem.getMessage();
                    })
                    .workflow(Box.class, code(sim)));
            assertThat(sim.result(Scenario.start(node[0]))).contains("updateWithStart");
        });
    }
}
