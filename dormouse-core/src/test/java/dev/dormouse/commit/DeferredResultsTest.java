package dev.dormouse.commit;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Activity;
import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.Durability;
import dev.dormouse.Promise;
import dev.dormouse.RetryPolicy;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.EventCodec;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.support.Jobs;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.testing.sim.FaultProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Deferred step results and other events that occur before their commit. */
class DeferredResultsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final FaultProfile SLOW = FaultProfile.CALM.withLatency(Duration.ofMillis(20));
    private static final FaultProfile VERY_SLOW = FaultProfile.CALM.withLatency(Duration.ofMillis(200));

    private static void quick(SimulatedDormouse sim, String... names) {
        for (String name : names) {
            Workflow.step(name, () -> sim.log(name));
        }
    }

    private static List<Event> events(SimulatedDormouse sim, UUID runId) {
        List<Event> events = new ArrayList<>();
        for (HistoryRow row : sim.store().histories(0, List.of(runId))) {
            events.addAll(EventCodec.decode(row.payload()));
        }
        return events;
    }

    private static long completed(SimulatedDormouse sim, UUID runId) {
        return events(sim, runId).stream()
                .filter(Event.StepCompleted.class::isInstance)
                .count();
    }

    // ---- cancel

    private static Supplier<String> longAndAttentive(SimulatedDormouse sim) {
        return () -> {
            quick(sim, "s1");
            return Workflow.step("long", String.class, () -> {
                sim.log("long");
                for (int i = 0; i < 600; i++) {
                    sim.advance(SECOND);
                    if (Thread.currentThread().isInterrupted()) {
                        sim.log("interrupted");
                        throw new InterruptedException();
                    }
                }
                return "long";
            });
        };
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void cancelOfThisNodeReachesAStepThatExecutesWhileResultsAreCommitted(Durability durability) {
        List<String> missed = new ArrayList<>();
        for (int offset = 0; offset < 60; offset += 5) {
            int millis = offset;
            simulate(sim -> {
                Dormouse dormouse =
                        sim.open(FaultProfile.PERFECT, node -> Jobs.inline(node, longAndAttentive(sim), durability));
                WorkflowHandle<String> handle = Scenario.start(dormouse);
                sim.await("the long step", () -> sim.count("long") == 1);
                sim.advance(Duration.ofMillis(millis));
                sim.store().onFirstEvent = () -> sim.behave(dormouse, VERY_SLOW); // the delivery, and
                sim.store().onDelivered = () -> sim.behave(dormouse, FaultProfile.PERFECT); // nothing else
                handle.cancel("not wanted");
                sim.advance(Duration.ofSeconds(60));
                if (sim.count("interrupted") == 0) {
                    missed.add("cancelled after " + millis + " ms");
                }
                sim.kill(dormouse);
            });
        }
        assertThat(missed).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void cancelWhoseNoticeIsLostReachesAStepThatExecutes(Durability durability) {
        simulate(sim -> {
            FaultProfile deaf = FaultProfile.CALM.withBadNotices(1, 0, Duration.ZERO);
            Dormouse one = sim.open(deaf, node -> Jobs.inline(node, longAndAttentive(sim), durability));
            Dormouse two = sim.open(node -> node.remoteWorkflow("w"));
            Scenario.start(one);
            sim.await("the long step", () -> sim.count("long") == 1);
            two.find("w", String.class).orElseThrow().cancel("not wanted");
            sim.advance(Duration.ofSeconds(60));
            assertThat(sim.count("interrupted")).isEqualTo(1);
        });
    }

    // ---- a node that closes

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nodeThatClosesAtOnceLosesNoResult(boolean takesMail) {
        simulate(sim -> {
            Supplier<String> code = () -> {
                quick(sim, "s1", "s2", "s3");
                return Workflow.step("long", String.class, () -> {
                    sim.log("long");
                    sim.advance(Duration.ofMinutes(1));
                    return "long";
                });
            };
            Dormouse one = sim.open(node -> (takesMail
                            ? Jobs.beside(node, code, Durability.BATCHED)
                            : Jobs.inline(node, code, Durability.BATCHED))
                    .closeGrace(Duration.ZERO));
            Scenario.start(one);
            sim.await("the long step", () -> sim.count("long") == 1);
            one.close();
            Dormouse two = sim.open(node -> takesMail
                    ? Jobs.beside(node, code, Durability.BATCHED)
                    : Jobs.inline(node, code, Durability.BATCHED));
            assertThat(sim.result(two.find("w", String.class).orElseThrow())).isEqualTo("long");
            assertThat(sim.log()).containsExactly("s1", "s2", "s3", "long", "long");
        });
    }

    /** One step takes long, so that other steps begin beside it until the end. */
    @ParameterizedTest
    @EnumSource(Durability.class)
    void nodeThatLosesPatienceLosesNoResult(Durability durability) {
        simulate(sim -> {
            Supplier<String> code = () -> {
                Promise<String> slow = Workflow.async(() -> Workflow.step("long", String.class, () -> {
                    sim.advance(Duration.ofMinutes(1));
                    return "long";
                }));
                for (int i = 0; i < 100; i++) {
                    String name = "s" + i;
                    Workflow.step(name, () -> {
                        sim.log(name);
                        sim.advance(Duration.ofMillis(15));
                    });
                }
                return slow.get();
            };
            Dormouse one = sim.open(node -> Jobs.inline(node, code, durability).closeGrace(Duration.ofMillis(500)));
            Scenario.start(one);
            sim.await("some steps", () -> sim.log().size() == 5);
            one.close();
            Dormouse two = sim.open(node -> Jobs.inline(node, code, durability));
            sim.result(two.find("w", String.class).orElseThrow());
            assertThat(sim.log().size() - 100).as("steps that ran again").isLessThanOrEqualTo(1);
        });
    }

    // ---- crashes

    @Test
    void deathCountsAsAnAttemptOfTheStepInFlight() {
        simulate(sim -> {
            Supplier<String> code = () -> {
                quick(sim, "s1", "s2");
                return Workflow.step("job", ActivityOptions.DEFAULT, String.class, () -> {
                    sim.log("job " + Activity.info().attempt() + " "
                            + Activity.lastHeartbeat(String.class).orElse("new"));
                    Activity.heartbeat("begun");
                    sim.advance(Duration.ofSeconds(20));
                    return "done";
                });
            };
            Dormouse one = sim.open(node -> Jobs.inline(node, code, Durability.BATCHED));
            Scenario.start(one);
            sim.await("the job", () -> sim.count("job 1 new") == 1);
            sim.advance(Duration.ofMillis(20));
            assertThat(sim.store().noted()).as("notes").isPositive();
            sim.kill(one);
            Dormouse two = sim.open(node -> Jobs.inline(node, code, Durability.BATCHED));
            assertThat(sim.result(two.find("w", String.class).orElseThrow())).isEqualTo("done");
            assertThat(sim.log()).last().isEqualTo("job 2 begun");
        });
    }

    /** A repeated step may have another result, so that the code continues with another step. */
    @Test
    void heartbeatOfAStepIsNotGivenToAnother() {
        simulate(sim -> {
            Supplier<String> code = () -> {
                String way = Workflow.step("look", String.class, () -> {
                    sim.log("look");
                    return sim.count("look") == 1 ? "left" : "right";
                });
                return Workflow.step(way, ActivityOptions.DEFAULT, String.class, () -> {
                    sim.log(way + " knows "
                            + Activity.lastHeartbeat(String.class).orElse("nothing"));
                    if (way.equals("left")) {
                        Activity.heartbeat("of left");
                    }
                    sim.advance(Duration.ofSeconds(20));
                    return way;
                });
            };
            Dormouse one = sim.open(node -> Jobs.inline(node, code, Durability.BATCHED));
            Scenario.start(one);
            sim.await("left", () -> sim.count("left knows nothing") == 1);
            sim.advance(Duration.ofMillis(20));
            sim.kill(one);
            Dormouse two = sim.open(node -> Jobs.inline(node, code, Durability.BATCHED));
            sim.await("right", () -> sim.count("right knows nothing") == 1);
            sim.advance(SECOND);
            sim.kill(two);
            Dormouse three = sim.open(node -> Jobs.inline(node, code, Durability.BATCHED));
            assertThat(sim.result(three.find("w", String.class).orElseThrow())).isEqualTo("right");
            assertThat(sim.log()).doesNotContain("right knows of left");
        });
    }

    // ---- when results are committed

    @Test
    void resultIsCommittedSoonAfterFiftyMillisecondsBesideOtherRuns() {
        simulate(sim -> {
            Supplier<String> code = () -> {
                quick(sim, "quick");
                return Workflow.step("long", String.class, () -> {
                    sim.log("long");
                    sim.advance(Duration.ofMinutes(1));
                    return "long";
                });
            };
            Dormouse one = sim.open(node -> Jobs.inline(node, code, Durability.BATCHED));
            List<WorkflowHandle<String>> handles = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                handles.add(one.start("w", "w" + i, String.class, ""));
                int begun = i + 1;
                sim.await("the long step", () -> sim.count("long") == begun);
                sim.advance(Duration.ofMillis(10));
            }
            sim.advance(Duration.ofMillis(60));
            assertThat(completed(sim, handles.get(1).runId())).isEqualTo(1);
        });
    }

    /** The code takes time between two steps, and the steps take none. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void crashExecutesOnlyTheLastFewOfManyQuickSteps(boolean takesMail) {
        simulate(sim -> {
            Supplier<String> code = () -> {
                for (int i = 0; i < 100; i++) {
                    String name = "s" + i;
                    Workflow.step(name, () -> sim.log(name));
                    sim.advance(Duration.ofMillis(200));
                }
                return "done";
            };
            Dormouse one = sim.open(node -> takesMail
                    ? Jobs.beside(node, code, Durability.BATCHED)
                    : Jobs.inline(node, code, Durability.BATCHED));
            WorkflowHandle<String> handle = Scenario.start(one);
            sim.await("fifty steps", () -> sim.log().size() == 50);
            assertThat(50 - completed(sim, handle.runId()))
                    .as("results that a crash would lose, of the last 10 s")
                    .isLessThan(5);
        });
    }

    @Test
    void timeoutOfAStepIsCommittedBeforeTheNextStepBegins() {
        simulate(sim -> {
            Supplier<String> code = () -> {
                try {
                    Workflow.step(
                            "slow",
                            ActivityOptions.DEFAULT.withAttemptTimeout(SECOND).withRetry(RetryPolicy.NONE),
                            String.class,
                            () -> {
                                sim.advance(Duration.ofSeconds(5));
                                return "";
                            });
                } catch (RuntimeException timedOut) {
                    UUID runId = Workflow.info().runId();
                    Workflow.step(
                            "clean up",
                            () -> sim.log(
                                    "" + events(sim, runId).stream().anyMatch(Event.StepFailed.class::isInstance)));
                }
                return "done";
            };
            Dormouse one = sim.open(node -> Jobs.inline(node, code, Durability.BATCHED));
            assertThat(sim.result(Scenario.start(one))).isEqualTo("done");
            assertThat(sim.log()).containsExactly("true");
        });
    }

    // ---- should hold

    @Test
    void tokenIsHandedOutWhileResultsAreOnTheirWay() {
        for (int offset = 0; offset < 120; offset += 4) {
            int millis = offset;
            simulate(sim -> {
                Supplier<String> code = () -> {
                    quick(sim, "s1", "s2");
                    String signed = Workflow.step("sign", String.class, () -> {
                        sim.advance(Duration.ofMillis(millis));
                        sim.log("token " + Activity.completeLater());
                        sim.advance(Duration.ofMillis(millis));
                        return "not counted";
                    });
                    quick(sim, "s3");
                    return signed;
                };
                Dormouse one = sim.open(SLOW, node -> Jobs.inline(node, code, Durability.BATCHED));
                WorkflowHandle<String> handle = Scenario.start(one);
                sim.await("the token", () -> sim.log().size() == 3);
                one.completeActivity(sim.log().get(2).substring(6), "signed");
                assertThat(sim.result(handle)).isEqualTo("signed");
                assertThat(sim.log()).hasSize(4);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void badConnectionRunsNothingTwice(boolean takesMail) {
        FaultProfile bad = SLOW.withUnknown(0.2)
                .withLocked(0.2)
                .withStalls(0.02)
                .lastingUpTo(SECOND)
                .withBadNotices(0.3, 0.1, Duration.ofMillis(100));
        for (int offset = 0; offset < 400; offset += 20) {
            int millis = offset;
            simulate(sim -> {
                Supplier<String> code = () -> {
                    for (int i = 0; i < 12; i++) {
                        String name = "s" + i;
                        Workflow.step(name, () -> {
                            sim.log(name);
                            sim.advance(Duration.ofMillis(30));
                        });
                    }
                    return "done";
                };
                UnaryOperator<DormouseBuilder> setUp = node -> takesMail
                        ? Jobs.beside(node, code, Durability.BATCHED)
                        : Jobs.inline(node, code, Durability.BATCHED);
                sim.open(node -> node.remoteWorkflow("w")).start("w", "w", String.class, "");
                Dormouse one = opened(sim, bad, setUp);
                sim.await("the first step", () -> !sim.log().isEmpty());
                sim.advance(Duration.ofMillis(millis));
                one.close();
                Dormouse two = sim.open(setUp);
                assertThat(sim.result(two.find("w", String.class).orElseThrow()))
                        .isEqualTo("done");
                assertThat(sim.log()).as("closed after " + millis).hasSize(12).doesNotHaveDuplicates();
            });
        }
    }

    private static Dormouse opened(SimulatedDormouse sim, FaultProfile bad, UnaryOperator<DormouseBuilder> setUp) {
        while (true) {
            try {
                return sim.open(bad, setUp);
            } catch (StoreException notYet) {
                sim.advance(SECOND);
            }
        }
    }

    // ---- what the store refuses

    @ParameterizedTest
    @EnumSource(Durability.class)
    void resultThatTheStoreRefusesDoesNotFailOtherResults(Durability durability) {
        simulate(sim -> {
            boolean[] picky = {true};
            sim.store().refused = commit -> picky[0]
                    && commit.append().count() > 0
                    && EventCodec.decode(commit.append().payload()).stream()
                            .anyMatch(event -> event instanceof Event.StepCompleted done
                                    && done.name().equals("bad"));
            Supplier<String> code = () -> {
                quick(sim, "s1", "s2", "bad", "s3");
                Workflow.sleep(SECOND);
                return "done";
            };
            Dormouse one = sim.open(node -> Jobs.inline(node, code, durability));
            WorkflowHandle<String> handle = Scenario.start(one);
            sim.awaitStatus(handle, RunStatus.STUCK);
            picky[0] = false;
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(sim.count("s1")).isEqualTo(1);
            assertThat(sim.count("s2")).isEqualTo(1);
        });
    }
}
