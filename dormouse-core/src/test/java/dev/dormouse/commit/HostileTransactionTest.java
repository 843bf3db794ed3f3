package dev.dormouse.commit;

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
import dev.dormouse.CancellationScope;
import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.StartOptions;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.CancelledException;
import dev.dormouse.support.HostileScenario;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.testing.memory.UserTable;
import dev.dormouse.testing.sim.FaultProfile;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows of user transactions, which are written exactly once despite faults. */
class HostileTransactionTest {

    private static void add(Connection connection, String row) throws SQLException {
        connection.unwrap(UserTable.class).add(row);
    }

    /**
     * Three transactions with a step and a sleep in between, the second of which fails twice. A connection that breaks
     * fails an attempt, so that all may be tried again.
     */
    private static WorkflowFunction<String, String> three(SimulatedDormouse sim) {
        return (ctx, input) -> {
            ctx.transaction("one", ActivityOptions.DEFAULT, connection -> add(connection, "one"));
            ctx.step("between", () -> sim.advance(Duration.ofMillis(5)));
            String two = ctx.transaction("two", ActivityOptions.DEFAULT, String.class, connection -> {
                add(connection, "two");
                sim.advance(Duration.ofMillis(3));
                if (Activity.info().attempt() < 3) {
                    throw new IllegalStateException("not yet");
                }
                return "two";
            });
            ctx.sleep(SECOND);
            ctx.transaction("three", ActivityOptions.DEFAULT, connection -> add(connection, "three"));
            return two;
        };
    }

    @Test
    void rowsAreThereExactlyOnceWheneverNodesDie() {
        HostileScenario.killed(Duration.ofSeconds(8), HostileTransactionTest::three, (sim, handle) -> {
            assertThat(sim.result(handle)).isEqualTo("two");
            assertThat(sim.store().userRows()).containsExactly("one", "two", "three");
        });
    }

    @Test
    void rowsAreThereExactlyOnceOverBadConnections() {
        for (FaultProfile bad : List.of(
                FaultProfile.CALM.withUnknown(0.15),
                FaultProfile.CALM.withUnknown(0.15).lastingUpTo(Duration.ofMillis(200)),
                FaultProfile.CALM.withLocked(0.3),
                FaultProfile.CALM.withStalls(0.1))) {
            simulate(sim -> {
                Dormouse calm = Scenario.open(sim, three(sim));
                List<String> expected = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    if (!outcome(() -> sim.open(bad, node -> Scenario.with(node, three(sim))))
                            .equals("accepted")) {
                        sim.log("one node less");
                    }
                }
                for (int i = 0; i < 12; i++) {
                    calm.start(
                            "w",
                            "w" + i,
                            StartOptions.DEFAULT.withStartDelay(Duration.ofMillis(100L * i)),
                            String.class,
                            "");
                    expected.addAll(List.of("one", "two", "three"));
                }
                for (int i = 0; i < 12; i++) {
                    assertThat(sim.result(calm.find("w" + i, String.class).orElseThrow()))
                            .isEqualTo("two");
                }
                sim.advance(MINUTE);
                assertThat(sim.store().userRows()).as("%s", bad).containsExactlyInAnyOrderElementsOf(expected);
            });
        }
    }

    @Test
    void rowsAreThereExactlyOnceWhenANodeStoodStillInATransaction() {
        simulate(sim -> {
            WorkflowFunction<String, String> code = (ctx, input) -> {
                ctx.transaction("slow", connection -> {
                    add(connection, "slow");
                    sim.log("in it");
                    sim.advance(Duration.ofSeconds(2));
                });
                ctx.sleep(MINUTE);
                return "done";
            };
            Dormouse one = Scenario.open(sim, code);
            Scenario.start(one);
            sim.await("the transaction", () -> sim.count("in it") == 1);
            Dormouse two = Scenario.open(sim, code);
            sim.pause(one);
            sim.advance(Duration.ofSeconds(60));
            sim.resume(one);
            assertThat(sim.result(latest(two))).isEqualTo("done");
            assertThat(sim.store().userRows()).containsExactly("slow");
            sim.assertStillWorks(two);
        });
    }

    @Test
    void nothingRemainsOfATransactionThatFailedForGood() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                String outcome = outcome(() -> ctx.transaction("bad", attempts(3), connection -> {
                    add(connection, "never");
                    throw new SQLException("no");
                }));
                ctx.transaction("good", connection -> add(connection, "good"));
                return outcome;
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("STEP_FAILED");
            assertThat(sim.store().userRows()).containsExactly("good");
        });
    }

    @Test
    void resultThatCannotBeSerializedLeavesNoRow() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) ->
                            outcome(() -> ctx.transaction("odd", ActivityOptions.DEFAULT, Object.class, connection -> {
                                sim.log("attempt");
                                add(connection, "never");
                                List<Object> itself = new ArrayList<>();
                                itself.add(itself);
                                return itself;
                            })));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("STEP_FAILED");
            assertThat(sim.store().userRows()).isEmpty();
            assertThat(sim.count("attempt")).isEqualTo(1);
        });
    }

    @Test
    void pausesTokensAndOtherConnectionGamesAreRefused() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.transaction("t", String.class, connection -> {
                        add(connection, "row");
                        List<String> outcomes = new ArrayList<>();
                        outcomes.add(outcome(() -> Activity.pause("p", HOUR)));
                        outcomes.add(outcome(Activity::completeLater));
                        outcomes.add(outcome(() -> Workflow.sleep(HOUR)));
                        outcomes.add(outcome(() -> ctx.step("inner", () -> {})));
                        outcomes.add(outcome(() -> ctx.transaction("inner", inner -> add(inner, "inner"))));
                        Activity.heartbeat("words");
                        Activity.checkpoint("kept");
                        return String.join(" ", outcomes);
                    }));
            assertThat(sim.result(Scenario.start(dormouse)))
                    .isEqualTo("NOT_ALLOWED_HERE NOT_ALLOWED_HERE OUTSIDE_WORKFLOW OUTSIDE_WORKFLOW OUTSIDE_WORKFLOW");
            assertThat(sim.store().userRows()).containsExactly("row");
        });
    }

    @Test
    void connectionCannotBeUsedAfterItsTransaction() {
        simulate(sim -> {
            List<Connection> leaked = new ArrayList<>();
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.transaction("t", connection -> {
                    leaked.add(connection);
                    add(connection, "row");
                });
                ctx.step("later", () -> {
                    try {
                        add(leaked.get(0), "too late");
                    } catch (SQLException | RuntimeException refused) {
                        sim.log("refused");
                    }
                });
                ctx.transaction("u", connection -> add(connection, "next"));
                return "";
            });
            sim.result(Scenario.start(dormouse));
            assertThat(sim.store().userRows()).containsExactly("row", "next");
        });
    }

    @Test
    void transactionsOfCoroutinesBesideOtherStepsAreExactlyOnceWheneverNodesDie() {
        HostileScenario.killed(
                Duration.ofSeconds(4),
                sim -> (ctx, input) -> {
                    List<Promise<String>> all = new ArrayList<>();
                    for (int i = 0; i < 4; i++) {
                        int number = i;
                        all.add(ctx.async(() -> ctx.transaction("t", ActivityOptions.DEFAULT, String.class, c -> {
                            add(c, "t" + number);
                            if (Activity.info().attempt() <= number % 2) {
                                throw new IllegalStateException("again");
                            }
                            return "t" + number;
                        })));
                        all.add(ctx.async(() -> ctx.step("s", ActivityOptions.DEFAULT, String.class, () -> {
                            sim.advance(Duration.ofMillis(10L * number));
                            return "s" + number;
                        })));
                    }
                    return String.join(" ", Promise.allOf(all).get());
                },
                (sim, handle) -> {
                    assertThat(sim.result(handle)).isEqualTo("t0 s0 t1 s1 t2 s2 t3 s3");
                    assertThat(sim.store().userRows()).containsExactlyInAnyOrder("t0", "t1", "t2", "t3");
                });
    }

    @Test
    void cancelOrTerminateAtAnyMomentLeavesTheRowIfAndOnlyIfTheStepIsInTheHistory() {
        for (int millis : List.of(0, 1, 2, 4, 6, 8, 10, 12, 15, 20, 30)) {
            for (boolean terminate : new boolean[] {false, true}) {
                simulate(sim -> {
                    Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                        ctx.transaction("t", connection -> {
                            add(connection, "row");
                            sim.advance(Duration.ofMillis(10));
                        });
                        ctx.sleep(HOUR);
                        return "";
                    });
                    WorkflowHandle<String> handle = Scenario.start(dormouse);
                    sim.advance(Duration.ofMillis(millis));
                    if (terminate) {
                        handle.terminate("stop");
                    } else {
                        handle.cancel("stop");
                    }
                    sim.failure(handle);
                    sim.advance(MINUTE);
                    boolean recorded = Scenario.kinds(handle).contains("StepCompleted");
                    assertThat(sim.store().userRows()).hasSize(recorded ? 1 : 0);
                    sim.assertStillWorks(dormouse);
                });
            }
        }
    }

    @Test
    void transactionOfACancelledScopeIsDoneOrNotAndTheRunContinues() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                CancellationScope scope =
                        ctx.newCancellationScope(() -> ctx.transaction("t", attempts(9), connection -> {
                            add(connection, "row");
                            throw new IllegalStateException("again");
                        }));
                Promise<String> runs = ctx.async(() -> {
                    try {
                        scope.run();
                        return "?";
                    } catch (CancelledException cancelled) {
                        return "cancelled";
                    }
                });
                ctx.sleep(Duration.ofSeconds(10));
                scope.cancel();
                return runs.get();
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            assertThat(sim.result(handle)).isEqualTo("cancelled");
            sim.advance(MINUTE);
            assertThat(sim.store().userRows()).isEmpty();
        });
    }
}
