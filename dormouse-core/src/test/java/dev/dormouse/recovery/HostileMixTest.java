package dev.dormouse.recovery;

import static dev.dormouse.support.HostileScenario.HOUR;
import static dev.dormouse.support.HostileScenario.MINUTE;
import static dev.dormouse.support.HostileScenario.SECOND;
import static dev.dormouse.support.HostileScenario.attempts;
import static dev.dormouse.support.HostileScenario.latest;
import static dev.dormouse.support.HostileScenario.outcome;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Activity;
import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.Promise;
import dev.dormouse.StepFunction;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.support.HostileScenario;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.testing.memory.UserTable;
import dev.dormouse.testing.sim.FaultProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Combinations of early completions, failures, pauses, transactions, timeouts, deaths and bad connections. */
class HostileMixTest {

    /** Hands out a token and returns five seconds later. */
    private static WorkflowFunction<String, String> dawdling(
            SimulatedDormouse sim, ActivityOptions options, StepFunction<String> end) {
        return (ctx, input) -> {
            String result = ctx.step("s", options, String.class, () -> {
                sim.log(Activity.completeLater());
                sim.advance(Duration.ofSeconds(5));
                return end.run();
            });
            ctx.sleep(MINUTE);
            return result;
        };
    }

    private static void completedEarly(ActivityOptions options, StepFunction<String> end) {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, dawdling(sim, options, end));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(SECOND);
            assertThat(outcome(() -> dormouse.completeActivity(sim.log().get(0), "signed")))
                    .isEqualTo("accepted");
            assertThat(sim.result(handle)).isEqualTo("signed");
            assertThat(sim.log()).hasSize(1);
        });
    }

    @Test
    void earlyCompletionOutlivesTheTimeoutOfItsAttempt() {
        completedEarly(attempts(2).withAttemptTimeout(SECOND.multipliedBy(2)), () -> "late");
    }

    @Test
    void earlyCompletionOutlivesAPauseOfItsAttempt() {
        completedEarly(attempts(2), () -> Activity.pause("not yet", HOUR));
    }

    @Test
    void earlyCompletionOutlivesAResultThatCannotBeSerialized() {
        completedEarly(attempts(2), () -> "x".repeat(3_000_000));
    }

    @Test
    void earlyCompletionThatWasAcceptedOutlivesTheNodeOfItsAttempt() {
        for (int millis : List.of(0, 1, 2, 4, 10, 1_000, 3_900, 4_100)) {
            simulate(sim -> {
                WorkflowFunction<String, String> code = dawdling(sim, attempts(5), () -> "");
                Dormouse one = Scenario.open(sim, code);
                Scenario.start(one);
                sim.advance(SECOND);
                Dormouse two = Scenario.open(sim, code);
                String outcome = outcome(() -> two.completeActivity(sim.log().get(0), "signed"));
                sim.advance(Duration.ofMillis(millis));
                sim.kill(one);
                assertThat(outcome).isEqualTo("accepted");
                sim.advance(MINUTE.multipliedBy(3));
                assertThat(latest(two).describe().closedAt())
                        .as("killed %s ms after the completion", millis)
                        .isPresent();
                assertThat(sim.result(latest(two))).isEqualTo("signed");
            });
        }
    }

    @Test
    void closedNodeHandsAStepOfOneAttemptOverAndDoesNotFailIt() {
        simulate(sim -> {
            WorkflowFunction<String, String> code = (ctx, input) -> ctx.step("s", attempts(1), String.class, () -> {
                sim.log("attempt");
                HostileScenario.interruptibly(sim, MINUTE);
                return "done";
            });
            Dormouse one = Scenario.open(sim, code);
            Dormouse two = Scenario.open(sim, code);
            Scenario.start(one);
            sim.advance(Duration.ofSeconds(5));
            one.close();
            assertThat(sim.result(latest(two))).isEqualTo("done");
        });
    }

    @Test
    void transactionThatIsTooLongIsRolledBackAndTriedAgain() {
        simulate(sim -> {
            ActivityOptions brief = ActivityOptions.DEFAULT.withAttemptTimeout(Duration.ofSeconds(5));
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.transaction("t", brief, String.class, connection -> {
                        int attempt = Activity.info().attempt();
                        connection.unwrap(UserTable.class).add("row " + attempt);
                        sim.advance(attempt < 3 ? MINUTE : SECOND);
                        return "attempt " + attempt;
                    }));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            assertThat(sim.result(handle)).isEqualTo("attempt 3");
            sim.advance(MINUTE.multipliedBy(3));
            assertThat(sim.store().userRows()).containsExactly("row 3");
            sim.assertStillWorks(dormouse);
        });
    }

    /** Retries, a pause, a transaction and a timeout, sequentially and concurrently. */
    private static WorkflowFunction<String, String> everything(SimulatedDormouse sim) {
        return (ctx, id) -> {
            ActivityOptions brief = ActivityOptions.DEFAULT.withAttemptTimeout(Duration.ofSeconds(20));
            Promise<String> beside = ctx.async(() -> ctx.step("pauses", brief, String.class, () -> {
                int looks = Activity.lastCheckpoint(Integer.class).orElse(0);
                Activity.heartbeat(looks);
                if (looks < 3) {
                    Activity.checkpoint(looks + 1);
                    return Activity.pause("p", Duration.ofSeconds(7));
                }
                return "p" + looks;
            }));
            String all = "";
            for (int i = 0; i < 3; i++) {
                String row = id + "-" + i;
                ctx.transaction("t", brief, connection -> {
                    connection.unwrap(UserTable.class).add(row);
                    if (sim.count(row) == 0) {
                        sim.log(row);
                        throw new IllegalStateException("the first always fails");
                    }
                });
                all += ctx.step("s", brief, String.class, () -> {
                    if (sim.count("s" + row) == 0) {
                        sim.log("s" + row);
                        HostileScenario.interruptibly(sim, MINUTE);
                    }
                    return "s";
                });
            }
            return all + beside.get();
        };
    }

    @Test
    void everythingAtOnceOverHostileConnectionsCompletesExactlyOnce() {
        simulate(sim -> {
            UnaryOperator<DormouseBuilder> setUp =
                    node -> Scenario.with(node, everything(sim)).maxTakeovers(100);
            Dormouse calm = sim.open(setUp);
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                calm.start("w", "w" + i, String.class, "w" + i);
                for (int j = 0; j < 3; j++) {
                    expected.add("w" + i + "-" + j);
                }
            }
            for (int i = 0; i < 6; i++) {
                outcome(() -> sim.open(FaultProfile.HOSTILE, setUp));
                sim.advance(Duration.ofSeconds(10));
            }
            for (int i = 0; i < 8; i++) {
                assertThat(sim.result(calm.find("w" + i, String.class).orElseThrow()))
                        .isEqualTo("sssp3");
            }
            assertThat(sim.store().userRows()).containsExactlyInAnyOrderElementsOf(expected);
        });
    }

    @Test
    void everythingAtOnceCompletesWheneverNodesDie() {
        HostileScenario.killed(Duration.ofSeconds(80), HostileMixTest::everything, (sim, handle) -> {
            assertThat(sim.result(handle)).isEqualTo("sssp3");
            assertThat(sim.store().userRows()).containsExactlyInAnyOrder("-0", "-1", "-2");
        });
    }
}
