package dev.dormouse.activity;

import static dev.dormouse.support.HostileScenario.HOUR;
import static dev.dormouse.support.HostileScenario.MINUTE;
import static dev.dormouse.support.HostileScenario.SECOND;
import static dev.dormouse.support.HostileScenario.latest;
import static dev.dormouse.support.HostileScenario.outcome;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Activity;
import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.RetryPolicy;
import dev.dormouse.TypeRef;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.support.HostileScenario;
import dev.dormouse.support.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Heartbeat details, which reach the next attempt of the same step and no other. */
class HostileHeartbeatTest {

    private static String said() {
        return Activity.lastHeartbeat(String.class).orElse("nothing");
    }

    @Test
    void wordsBeforeAFailureAreThereInTheNextAttemptWheneverNodesDie() {
        HostileScenario.killed(
                Duration.ofSeconds(8),
                sim -> (ctx, input) -> ctx.step("s", ActivityOptions.DEFAULT, String.class, () -> {
                    int attempt = Activity.info().attempt();
                    if (said().equals("nothing") || attempt < 3) {
                        Activity.heartbeat("attempt " + attempt);
                        throw new IllegalStateException("no");
                    }
                    return said().startsWith("attempt ") ? "heard" : said();
                }),
                (sim, handle) -> assertThat(sim.result(handle)).isEqualTo("heard"));
    }

    @Test
    void detailsBeforeAFailureReachTheNextAttemptEvenWhenItIsImmediate() {
        simulate(sim -> {
            ActivityOptions eager =
                    ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withInitialInterval(Duration.ZERO));
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("s", eager, String.class, () -> {
                        int attempt = Activity.info().attempt();
                        assertThat(said()).isEqualTo(attempt == 1 ? "nothing" : "attempt " + (attempt - 1));
                        Activity.heartbeat("first thought");
                        Activity.heartbeat("attempt " + attempt);
                        if (attempt < 6) {
                            throw new IllegalStateException("no");
                        }
                        return said();
                    }));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("attempt 6");
        });
    }

    @Test
    void wordsSurviveATimeoutAPauseAndAFailureInTurn() {
        simulate(sim -> {
            ActivityOptions options = ActivityOptions.DEFAULT.withHeartbeatTimeout(Duration.ofSeconds(5));
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("s", options, String.class, () -> {
                        String before = said();
                        sim.log(before);
                        switch (before) {
                            case "nothing" -> {
                                Activity.heartbeat("times out");
                                sim.advance(MINUTE);
                                return "late";
                            }
                            case "times out" -> {
                                Activity.heartbeat("pauses");
                                return Activity.pause("p", MINUTE.multipliedBy(10));
                            }
                            case "pauses" -> {
                                Activity.heartbeat("fails");
                                throw new IllegalStateException("no");
                            }
                            default -> {
                                return before;
                            }
                        }
                    }));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("fails");
            assertThat(sim.log()).containsExactly("nothing", "times out", "pauses", "fails");
        });
    }

    @Test
    void wordsOfASecondBeforeTheDeathOfTheNodeAreNotLost() {
        for (int millis : List.of(1_300, 2_050, 3_333, 7_777, 12_345)) {
            simulate(sim -> {
                AtomicInteger last = new AtomicInteger();
                WorkflowFunction<String, String> code =
                        (ctx, input) -> ctx.step("s", ActivityOptions.DEFAULT, String.class, () -> {
                            if (Activity.info().attempt() > 1) {
                                return ""
                                        + Activity.lastHeartbeat(Integer.class).orElse(0);
                            }
                            for (int i = 1; i < 1_000; i++) {
                                sim.advance(Duration.ofMillis(50));
                                Activity.heartbeat(i);
                                last.set(i);
                            }
                            return "?";
                        });
                Dormouse one = Scenario.open(sim, code);
                Scenario.start(one);
                sim.advance(Duration.ofMillis(millis));
                sim.kill(one);
                int said = last.get();
                Dormouse two = Scenario.open(sim, code);
                assertThat(Integer.parseInt(sim.result(latest(two))))
                        .as("killed after %s ms, when %s was said", millis, said)
                        .isBetween(said - 23, said);
            });
        }
    }

    @Test
    void thousandsOfHeartbeatsAreFewWrites() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("s", ActivityOptions.DEFAULT, String.class, () -> {
                        for (int i = 0; i < 10_000; i++) {
                            Activity.heartbeat(i);
                            if (i % 10 == 0) {
                                sim.advance(Duration.ofMillis(10));
                            }
                        }
                        return "done";
                    }));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("done");
            assertThat(sim.store().noted()).isBetween(5, 22);
        });
    }

    @Test
    void hugeAndUnserializableHeartbeatDetailsAreRefusedAndTheAttemptContinues() {
        simulate(sim -> {
            List<String> outcomes = new ArrayList<>();
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("s", ActivityOptions.DEFAULT, String.class, () -> {
                        List<Object> itself = new ArrayList<>();
                        itself.add(itself);
                        if (Activity.info().attempt() == 1) {
                            Activity.heartbeat("before");
                            outcomes.add(outcome(() -> Activity.heartbeat("x".repeat(3_000_000))));
                            outcomes.add(outcome(() -> Activity.heartbeat(itself)));
                            outcomes.add(outcome(() -> Activity.heartbeat(null)));
                            outcomes.add(outcome(() -> Activity.checkpoint(itself)));
                            outcomes.add(outcome(() -> Activity.checkpoint(null)));
                            outcomes.add(outcome(() -> Activity.lastHeartbeat((Class<?>) null)));
                            outcomes.add(outcome(() -> Activity.lastHeartbeat(new TypeRef<Map<String, Object>>() {})));
                            throw new IllegalStateException("again");
                        }
                        return said();
                    }));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("before");
            assertThat(outcomes)
                    .containsExactly(
                            "PAYLOAD_TOO_LARGE",
                            "PAYLOAD_NOT_SERIALIZABLE",
                            "BAD_ARGUMENT",
                            "PAYLOAD_NOT_SERIALIZABLE",
                            "BAD_ARGUMENT",
                            "BAD_ARGUMENT",
                            "PAYLOAD_DOES_NOT_FIT");
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void largestWordsAllowedReachTheNextAttempt() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("s", ActivityOptions.DEFAULT, Integer.class, () -> {
                                if (Activity.info().attempt() == 1) {
                                    Activity.heartbeat("x".repeat(2_000_000));
                                    Activity.checkpoint("y".repeat(2_000_000));
                                    sim.advance(Duration.ofSeconds(3));
                                    throw new IllegalStateException("again");
                                }
                                return said().length()
                                        + Activity.lastCheckpoint(String.class)
                                                .orElse("")
                                                .length();
                            })
                            .toString());
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("4000000");
        });
    }

    @Test
    void wordsOfStepsOfOneNameAreNotMixed() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                List<Promise<String>> all = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    int number = i;
                    all.add(ctx.async(() -> ctx.step("same", ActivityOptions.DEFAULT, String.class, () -> {
                        if (Activity.info().attempt() == 1) {
                            Activity.heartbeat("h" + number);
                            Activity.checkpoint("c" + number);
                            sim.advance(Duration.ofMillis(1_500));
                            throw new IllegalStateException("again");
                        }
                        return said() + Activity.lastCheckpoint(String.class).orElse("");
                    })));
                }
                String text = String.join(" ", Promise.allOf(all).get());
                return text + ctx.step("same", String.class, () -> " " + said());
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("h0c0 h1c1 h2c2 h3c3 h4c4 nothing");
        });
    }

    @Test
    void heartbeatAfterTheRunWasTerminatedIsATypedErrorSoon() {
        simulate(sim -> {
            AtomicReference<String> told = new AtomicReference<>();
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.step("s", () -> {
                    for (int i = 0; i < 600 && told.get() == null; i++) {
                        sim.advance(SECOND);
                        String outcome = outcome(() -> Activity.heartbeat("words"));
                        told.set(outcome.equals("accepted") ? null : outcome);
                    }
                });
                return "";
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(Duration.ofSeconds(10));
            handle.terminate("now");
            sim.await("an error", () -> told.get() != null);
            assertThat(told.get()).isIn("ATTEMPT_OVER", "RUN_CANCELLED");
            assertThat(sim.elapsed()).isLessThan(Duration.ofSeconds(30));
            sim.advance(MINUTE);
            assertThat(sim.store().notes(0, handle.runId())).isEmpty();
        });
    }

    @Test
    void nodeThatStoodStillLearnsOfItAndDoesNotOverwriteTheProgressOfTheNext() {
        simulate(sim -> {
            AtomicReference<String> told = new AtomicReference<>();
            WorkflowFunction<String, String> code =
                    (ctx, input) -> ctx.step("s", ActivityOptions.DEFAULT, String.class, () -> {
                        int attempt = Activity.info().attempt();
                        Activity.heartbeat("attempt " + attempt);
                        sim.advance(Duration.ofSeconds(30));
                        for (int i = 0; attempt == 1 && i < 300 && told.get() == null; i++) {
                            String outcome = outcome(() -> Activity.heartbeat("old words"));
                            told.set(outcome.equals("accepted") ? null : outcome);
                            sim.advance(Duration.ofMillis(500));
                        }
                        sim.advance(MINUTE.multipliedBy(2));
                        return said();
                    });
            Dormouse one = Scenario.open(sim, code);
            Scenario.start(one);
            sim.advance(Duration.ofSeconds(10));
            Dormouse two = Scenario.open(sim, code);
            sim.pause(one);
            sim.advance(Duration.ofSeconds(60));
            sim.resume(one);
            assertThat(sim.result(latest(two))).isEqualTo("attempt 2");
            assertThat(told.get()).isEqualTo("ATTEMPT_OVER");
            sim.advance(HOUR);
            assertThat(latest(two).describe().steps()).isEmpty();
        });
    }
}
