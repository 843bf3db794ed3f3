package dev.dormouse.workflow;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.IdReuse;
import dev.dormouse.StartOptions;
import dev.dormouse.TypeRef;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Runs that continue as new. */
class ContinueAsNewTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private static WorkflowFunction<Integer, String> rounds(int rounds, Duration nap) {
        return (ctx, round) -> {
            ctx.sleep(nap);
            if (round < rounds) {
                ctx.continueAsNew(round + 1);
            }
            return "round " + round;
        };
    }

    private static Dormouse open(SimulatedDormouse sim, WorkflowFunction<Integer, String> code) {
        return sim.open(node -> SimulatedDormouse.echo(node).workflow("w", Integer.class, String.class, code));
    }

    private static String lastResult(SimulatedDormouse sim, Dormouse dormouse) {
        AtomicReference<WorkflowHandle<String>> last = new AtomicReference<>();
        sim.await("the end of the last run", () -> {
            last.set(dormouse.find("w", String.class).orElseThrow());
            RunStatus status = last.get().describe().status();
            return status.isClosed() && status != RunStatus.CONTINUED;
        });
        return sim.result(last.get());
    }

    @Test
    void firstHandleGivesTheResultOfTheLastRun() {
        for (Duration nap : List.of(Duration.ZERO, SECOND, Duration.ofSeconds(20))) {
            simulate(sim -> {
                Dormouse dormouse = open(sim, rounds(5, nap));
                WorkflowHandle<String> handle = dormouse.start("w", "w", String.class, 0);
                assertThat(sim.result(handle)).isEqualTo("round 5");
                assertThat(handle.describe().status()).isEqualTo(RunStatus.CONTINUED);
            });
        }
    }

    @Test
    void firstHandleGivesTheResultOfTheLastRunOnAnotherNodeToo() {
        simulate(sim -> {
            Dormouse client = sim.open(node -> node.remoteWorkflow("w"));
            open(sim, rounds(5, Duration.ofSeconds(7)));
            WorkflowHandle<String> handle = client.start("w", "w", String.class, 0);
            assertThat(sim.result(handle)).isEqualTo("round 5");
        });
    }

    @Test
    void hundredTimesInARowWithAShortHistoryEach() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, rounds(100, Duration.ofMillis(200)));
            dormouse.start("w", "w", String.class, 0);
            assertThat(lastResult(sim, dormouse)).isEqualTo("round 100");
            WorkflowHandle<String> last = dormouse.find("w", String.class).orElseThrow();
            assertThat(last.history()).hasSizeLessThan(6);
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void hundredTimesWithoutAnyWaitEndsToo() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, rounds(100, Duration.ZERO));
            dormouse.start("w", "w", String.class, 0);
            assertThat(lastResult(sim, dormouse)).isEqualTo("round 100");
            assertThat(sim.elapsed()).isLessThan(Duration.ofMinutes(2));
        });
    }

    @Test
    void nodesDieAtAnyPointAndEachRoundHappensOnce() {
        for (long millis : List.of(0, 2, 5, 8, 990, 1_000, 1_002, 1_004, 1_006, 1_008, 1_012, 1_020, 2_010, 3_015)) {
            simulate(sim -> {
                WorkflowFunction<Integer, String> code = (ctx, round) -> {
                    ctx.sleep(SECOND);
                    ctx.step("s", () -> sim.log("round " + round));
                    if (round < 4) {
                        ctx.continueAsNew(round + 1);
                    }
                    return "round " + round;
                };
                Dormouse one = open(sim, code);
                one.start("w", "w", String.class, 0);
                sim.advance(Duration.ofMillis(millis));
                sim.kill(one);
                Dormouse two = open(sim, code);
                assertThat(lastResult(sim, two)).as("killed after " + millis).isEqualTo("round 4");
                for (int round = 0; round < 5; round++) {
                    assertThat(sim.count("round " + round)).isBetween(1L, 2L);
                }
            });
        }
    }

    private static WorkflowFunction<List<String>, String> collector(int most) {
        return (ctx, seen) -> {
            List<String> all = new ArrayList<>(seen);
            for (int i = 0; i < 3; i++) {
                all.add(ctx.waitForSignal(HOUR).orElseThrow().value(String.class));
            }
            if (all.size() < most) {
                ctx.continueAsNew(all);
            }
            return String.join(",", all);
        };
    }

    private static DormouseBuilder withCollector(DormouseBuilder node, int most) {
        return node.workflow("w", new TypeRef<List<String>>() {}, TypeRef.of(String.class), collector(most));
    }

    @Test
    void unreadSignalsGoToTheNextRunInOrder() {
        for (long kill : List.of(-1L, 0L, 3L, 10L, 30L, 100L)) {
            simulate(sim -> {
                Dormouse one = sim.open(node -> withCollector(node, 60));
                one.start("w", "w", String.class, List.of());
                Dormouse client = sim.open(node -> node.remoteWorkflow("w"));
                List<String> sent = new ArrayList<>();
                for (int i = 0; i < 60; i++) {
                    client.find("w", String.class).orElseThrow().signal("x", "s" + i);
                    sent.add("s" + i);
                    if (i == 20 && kill >= 0) {
                        sim.advance(Duration.ofMillis(kill));
                        sim.kill(one);
                    }
                }
                Dormouse two = sim.open(node -> withCollector(node, 60));
                assertThat(lastResult(sim, two)).isEqualTo(String.join(",", sent));
            });
        }
    }

    @Test
    void handleOfTheFirstRunSignalsTheOneThatIsOpen() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> withCollector(node, 6));
            WorkflowHandle<String> first = dormouse.start("w", "w", String.class, List.of());
            for (int i = 0; i < 6; i++) {
                first.signal("x", "s" + i);
                sim.advance(Duration.ofSeconds(20));
            }
            assertThat(lastResult(sim, dormouse)).isEqualTo("s0,s1,s2,s3,s4,s5");
        });
    }

    @Test
    void memoAndExecutionTimeoutAreKept() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, rounds(1_000, Duration.ofSeconds(10)));
            StartOptions options =
                    StartOptions.DEFAULT.withMemo("who", "ada").withExecutionTimeout(Duration.ofSeconds(65));
            Instant begin = sim.now();
            dormouse.start("w", "w", options, String.class, 0);
            sim.advance(Duration.ofSeconds(33));
            assertThat(dormouse.find("w", String.class).orElseThrow().describe().memo())
                    .containsEntry("who", "ada");
            assertClear(catchThrowable(() -> lastResult(sim, dormouse)), ErrorCode.RUN_TIMED_OUT);
            WorkflowHandle<String> last = dormouse.find("w", String.class).orElseThrow();
            assertThat(Duration.between(begin, last.describe().closedAt().orElseThrow()))
                    .isBetween(Duration.ofSeconds(65), Duration.ofSeconds(67));
        });
    }

    @Test
    void startWhileItContinuesFindsTheOpenRunAndNeverASecond() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, rounds(20, Duration.ofMillis(50)));
            List<UUID> runs = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                WorkflowHandle<String> handle = dormouse.start(
                        "w", "w", StartOptions.DEFAULT.withIdReuse(IdReuse.RETURN_CLOSED), String.class, 0);
                if (!runs.contains(handle.runId())) {
                    runs.add(handle.runId());
                }
                sim.advance(Duration.ofMillis(7));
            }
            assertThat(lastResult(sim, dormouse)).isEqualTo("round 20");
            assertThat(runs).hasSizeLessThanOrEqualTo(21);
        });
    }

    @Test
    void startThatWouldReplaceAClosedRunDoesNotReplaceAContinuedOne() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, rounds(30, Duration.ofMillis(30)));
            StartOptions anew = StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW);
            dormouse.start("w", "w", String.class, 0);
            for (int i = 0; i < 100; i++) {
                sim.advance(Duration.ofMillis(3));
                dormouse.start("w", "w", anew, String.class, 1_000);
            }
            assertThat(lastResult(sim, dormouse)).isEqualTo("round 30");
        });
    }

    @Test
    void cancelAndTerminateByTheFirstHandleReachTheOpenRun() {
        for (boolean terminate : List.of(false, true)) {
            simulate(sim -> {
                Dormouse dormouse = open(sim, rounds(1_000, Duration.ofSeconds(10)));
                WorkflowHandle<String> first = dormouse.start("w", "w", String.class, 0);
                sim.advance(Duration.ofSeconds(35));
                if (terminate) {
                    assertThat(dormouse.find("w", String.class).orElseThrow().terminate("enough"))
                            .isTrue();
                } else {
                    first.cancel("enough");
                }
                sim.advance(SECOND);
                assertThat(dormouse.find("w", String.class)
                                .orElseThrow()
                                .describe()
                                .status())
                        .isEqualTo(terminate ? RunStatus.TERMINATED : RunStatus.CANCELLED);
            });
        }
    }

    @Test
    void refusedInACoroutineAStepAndAScopeOfAnother() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, round) -> {
                String text = ctx.async(() -> String.valueOf(catchThrowable(() -> ctx.continueAsNew(7))))
                        .get();
                SimulatedDormouse.assertClear(text, ErrorCode.NOT_ALLOWED_HERE);
                Throwable inStep = ctx.step(
                                        "s",
                                        String.class,
                                        () -> String.valueOf(catchThrowable(() -> Workflow.continueAsNew(7))))
                                .contains("DM1008")
                        ? null
                        : new AssertionError();
                assertThat(inStep).isNull();
                ctx.sleep(SECOND);
                return "unharmed " + round;
            });
            assertThat(sim.result(dormouse.start("w", "w", String.class, 0))).isEqualTo("unharmed 0");
        });
    }

    @Test
    void inputIsCheckedWhenItIsCalled() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, round) -> {
                if (round == 0) {
                    String unclear = new Scenario.BadCalls()
                            .add("too large", () -> ctx.continueAsNew("x".repeat(3 << 20)))
                            .unclear();
                    assertThat(unclear).isEmpty();
                }
                return "unharmed " + round;
            });
            assertThat(sim.result(dormouse.start("w", "w", String.class, 0))).isEqualTo("unharmed 0");
        });
    }
}
