package dev.dormouse.activity;

import static dev.dormouse.support.SimulatedDormouse.ONCE;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Activity;
import dev.dormouse.ActivityOptions;
import dev.dormouse.CancellationScope;
import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.RetryPolicy;
import dev.dormouse.Saga;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.support.Scenario;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Races of steps with replays, cancels, takeovers and transactions. */
class StepRaceTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Regression: a step is abandoned because of a deadline that turns out not to have come first. */
    @Test
    void stepIsNotInterruptedBecauseOfADeadlineThatDidNotComeFirst() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                CancellationScope scope = ctx.newCancellationScope(() -> ctx.step("slow", () -> {
                    for (int i = 0; i < 120; i++) {
                        sim.advance(Duration.ofSeconds(1));
                        if (Thread.currentThread().isInterrupted()) {
                            throw new InterruptedException();
                        }
                    }
                }));
                Promise<String> slow = ctx.async(() -> {
                    scope.run();
                    return "slow is done";
                });
                boolean told = ctx.waitForSignal("go", MINUTE).isPresent();
                if (!told) {
                    scope.cancel();
                    ctx.sleep(MINUTE);
                }
                return told + " " + slow.get();
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(MINUTE.minusMillis(300));
            Message.Signal go = new Message.Signal("go", List.of());
            // accepted before the deadline, by a node whose notice gets lost or is late
            sim.store()
                    .deliver(
                            0,
                            List.of(new Delivery("w", "signal 1", go.kind(), MessageCodec.encode(go))),
                            Duration.ofSeconds(15));
            assertThat(sim.result(handle)).isEqualTo("true slow is done");
        });
    }

    /** Regression: the first cancel interrupts a compensation that runs because of a failure. */
    @Test
    void cancelDoesNotInterruptADetachedScope() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                Saga saga = new Saga();
                saga.addCompensation(() -> ctx.step("undo", ONCE, () -> {
                    sim.log("undo");
                    for (int i = 0; i < 60; i++) {
                        sim.advance(Duration.ofSeconds(1));
                        if (Thread.currentThread().isInterrupted()) {
                            throw new InterruptedException();
                        }
                    }
                    sim.log("undone");
                }));
                throw saga.compensateAfter(new IllegalStateException("no car"));
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(Duration.ofSeconds(20));
            handle.cancel("not wanted");
            sim.failure(handle);
            assertThat(sim.log()).containsExactly("undo", "undone");
        });
    }

    /** Regression: a coroutine with transactions keeps the steps of the others from beginning. */
    @Test
    void transactionsOfOneCoroutineDoNotHoldUpTheStepsOfAnother() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                Promise<String> many = ctx.async(() -> {
                    for (int i = 0; i < 20; i++) {
                        ctx.transaction("t", connection -> sim.advance(Duration.ofSeconds(5)));
                    }
                    sim.log("transactions");
                    return "";
                });
                ctx.step("beside", () -> sim.log("beside"));
                many.get();
                return "";
            });
            sim.result(Scenario.start(dormouse));
            assertThat(sim.log()).containsExactly("beside", "transactions");
        });
    }

    /** Regression: timeouts of a transaction step are accepted and never checked. */
    @Test
    void transactionThatIsTooLongIsTriedAgain() {
        simulate(sim -> {
            ActivityOptions brief = ActivityOptions.DEFAULT.withAttemptTimeout(Duration.ofSeconds(10));
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.transaction("t", brief, String.class, connection -> {
                        int attempt = Activity.info().attempt();
                        sim.advance(attempt == 1 ? MINUTE : Duration.ofSeconds(1));
                        return "attempt " + attempt;
                    }));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("attempt 2");
        });
    }

    /** Regression: the heartbeat after a pause does not reach the next attempt when the node dies. */
    @Test
    void heartbeatAfterAPauseSurvivesTheNode() {
        simulate(sim -> {
            WorkflowFunction<String, String> code =
                    (ctx, input) -> ctx.step("job", ActivityOptions.DEFAULT, String.class, () -> {
                        int from = Activity.lastHeartbeat(Integer.class).orElse(0);
                        sim.log("from " + from);
                        for (int i = from; i < 100; i++) {
                            Activity.heartbeat(i + 1);
                            if (i == 9) {
                                return Activity.pause("rest", MINUTE);
                            }
                            sim.advance(Duration.ofSeconds(1));
                        }
                        return "done";
                    });
            Dormouse one = Scenario.open(sim, code);
            Scenario.start(one);
            sim.advance(Duration.ofSeconds(110));
            sim.kill(one);
            Dormouse two = Scenario.open(sim, code);
            sim.result(two.find("w", String.class).orElseThrow());
            assertThat(sim.log()).hasSize(3);
            assertThat(Integer.parseInt(sim.log().get(2).substring(5))).isGreaterThan(30);
        });
    }

    /** Regression: an attempt that lost its run erases the progress note from which its successor resumes. */
    @Test
    void attemptThatLostItsRunDoesNotEraseItsProgress() {
        simulate(sim -> {
            WorkflowFunction<String, String> code =
                    (ctx, input) -> ctx.step("job", ActivityOptions.DEFAULT, String.class, () -> {
                        int from = Activity.lastHeartbeat(Integer.class).orElse(0);
                        sim.log("from " + from);
                        if (from == 0) {
                            Activity.heartbeat(50);
                        }
                        for (int i = 0; i < 200; i++) {
                            sim.advance(Duration.ofSeconds(1));
                            if (Thread.currentThread().isInterrupted()) {
                                throw new InterruptedException();
                            }
                        }
                        return "done";
                    });
            Dormouse one = Scenario.open(sim, code);
            Scenario.start(one);
            Dormouse two = Scenario.open(sim, code);
            sim.advance(Duration.ofSeconds(10));
            sim.pause(one);
            sim.await("a takeover", () -> sim.log().size() == 2);
            sim.resume(one);
            sim.advance(Duration.ofSeconds(30));
            sim.kill(two);
            sim.kill(one);
            Dormouse three = Scenario.open(sim, code);
            sim.result(three.find("w", String.class).orElseThrow());
            assertThat(sim.log()).containsExactly("from 0", "from 50", "from 50");
        });
    }

    /**
     * Regression: a transaction with an unknown outcome is repeated immediately and forever, regardless of its retry
     * policy.
     */
    @Test
    void transactionWithUnknownOutcomesIsTriedAsItsPolicySays() {
        simulate(sim -> {
            ActivityOptions three = ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withMaxAttempts(3));
            sim.store().transactions = begun -> new StoreTransaction() {
                @Override
                public Connection connection() {
                    return begun.connection();
                }

                @Override
                public CommitOutcome commit(Commit commit) {
                    begun.close(); // say a pooler or firewall in between cuts it each time (08006), or COMMIT times
                    // out (57014)
                    return new CommitOutcome.Unknown(
                            new StoreException(ErrorCode.STORE_UNAVAILABLE, "the connection is closed", null));
                }

                @Override
                public void close() {
                    begun.close();
                }
            };
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.transaction(
                        "t",
                        three,
                        connection -> sim.log("attempt " + Activity.info().attempt()));
                return "";
            });
            Scenario.start(dormouse);
            sim.advance(Duration.ofSeconds(10));
            assertThat(sim.log()).hasSizeLessThan(10);
        });
    }

    /** Regression: many transactions that wait for a connection look like a store that does not respond. */
    @Test
    void nodeThatIsShortOfConnectionsForTransactionsTakesOver() {
        simulate(sim -> {
            Dormouse one = Scenario.open(sim, (ctx, input) -> {
                ctx.step("long", () -> sim.advance(Duration.ofMinutes(1)));
                return "done";
            });
            WorkflowHandle<String> handle = Scenario.start(one);
            sim.store().transactions = begun -> {
                throw new StoreException(ErrorCode.STORE_UNAVAILABLE, "all connections are in use", null);
            };
            Dormouse two = sim.open(node -> Scenario.with(node, (ctx, input) -> {
                        sim.log("taken over");
                        return "done";
                    })
                    .workflow("busy", String.class, String.class, (ctx, input) -> {
                        ctx.transaction("t", connection -> {});
                        return "";
                    }));
            for (int i = 0; i < 3; i++) {
                two.start("busy", "busy-" + i, String.class, "");
            }
            sim.advance(Duration.ofSeconds(5));
            sim.kill(one);
            sim.advance(Duration.ofMinutes(10));
            assertThat(sim.log()).contains("taken over");
        });
    }

    /** Regression: the progress of a step is lost when its node closes, but not when its node is killed. */
    @Test
    void heartbeatSurvivesThatTheNodeIsClosed() {
        simulate(sim -> {
            WorkflowFunction<String, String> code =
                    (ctx, input) -> ctx.step("job", ActivityOptions.DEFAULT, String.class, () -> {
                        int from = Activity.lastHeartbeat(Integer.class).orElse(0);
                        sim.log("from " + from);
                        if (from == 0) {
                            Activity.heartbeat(50);
                        }
                        sim.advance(Duration.ofMinutes(2));
                        return "done";
                    });
            Dormouse one = Scenario.open(sim, code);
            Scenario.start(one);
            sim.advance(Duration.ofSeconds(10));
            one.close();
            Dormouse two = Scenario.open(sim, code);
            sim.result(two.find("w", String.class).orElseThrow());
            assertThat(sim.log()).containsExactly("from 0", "from 50");
        });
    }

    /** Regression: a stuck run leaves its steps running and executes them a second time concurrently. */
    @Test
    void stepsOfARunThatIsStuckAreInterrupted() {
        simulate(sim -> {
            int[] running = new int[2];
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                Promise<String> slow = ctx.async(() -> {
                    ctx.step("slow", () -> {
                        running[1] = Math.max(running[1], ++running[0]);
                        try {
                            for (int i = 0; i < 600; i++) {
                                sim.advance(Duration.ofSeconds(1));
                                Activity.heartbeat(i);
                                if (Thread.currentThread().isInterrupted()) {
                                    throw new InterruptedException();
                                }
                            }
                        } finally {
                            running[0]--;
                        }
                    });
                    return "done";
                });
                ctx.sleep(Duration.ofSeconds(10));
                if (sim.count("mended") == 0) {
                    throw new NoClassDefFoundError("not deployed yet");
                }
                return slow.get();
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(Duration.ofSeconds(30));
            sim.log("mended");
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(running[1]).isEqualTo(1);
        });
    }
}
