package dev.dormouse.saga;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Compensate;
import dev.dormouse.Dormouse;
import dev.dormouse.QueryMethod;
import dev.dormouse.StartOptions;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Bookings;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.UndoableActivities;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ways to end a run that do not undo its activities. */
class NotCompensatedTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void runThatDoesNotFailUndoesNothing() {
        simulate(sim -> {
            Dormouse dormouse = UndoableActivities.open(sim, ctx -> {
                Bookings bookings = ctx.activities(Bookings.class);
                bookings.pay("ada", 1);
                assertThat(catchThrowable(() -> bookings.book("bad", List.of())))
                        .isInstanceOf(ActivityFailedException.class);
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEmpty();
            assertThat(sim.log()).containsExactly("pay ada1");
        });
    }

    @Test
    void runThatContinuesAsNewUndoesNothing() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow("w", String.class, String.class, (ctx, input) -> {
                        Bookings bookings = ctx.activities(Bookings.class);
                        bookings.pay("ada", input.length());
                        if (input.isEmpty()) {
                            ctx.continueAsNew("again");
                        }
                        throw new UndoableActivities.Refused("way");
                    })
                    .activities(Bookings.class, new Bookings.Real(sim)));
            UndoableActivities.assertRefused(sim.failure(Scenario.start(dormouse)));
            assertThat(sim.log()).containsExactly("pay ada0", "pay ada5", "refund ada5");
        });
    }

    @Test
    void runThatIsTerminatedOrOutOfTimeUndoesNothing() {
        simulate(sim -> {
            Dormouse dormouse = UndoableActivities.open(sim, ctx -> {
                ctx.activities(Bookings.class).pay("ada", 1);
                ctx.sleep(HOUR);
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            StartOptions brief = StartOptions.DEFAULT.withExecutionTimeout(Duration.ofMinutes(1));
            WorkflowHandle<String> other = dormouse.start("w", "other", brief, String.class, "");
            sim.advance(Duration.ofSeconds(20));
            handle.terminate("enough");
            assertClear(sim.failure(other), ErrorCode.RUN_TIMED_OUT);
            assertThat(handle.describe().status()).isEqualTo(RunStatus.TERMINATED);
            sim.advance(HOUR);
            assertThat(sim.log()).containsExactly("pay ada1", "pay ada1");
        });
    }

    @Test
    void runWhoseCodeThrowsAnErrorUndoesNothingAndContinuesWithBetterCode() {
        simulate(sim -> {
            Dormouse one = UndoableActivities.open(sim, ctx -> {
                ctx.activities(Bookings.class).pay("ada", 1);
                ctx.sleep(Duration.ofMinutes(1));
                throw new AssertionError("a mistake in the code");
            });
            WorkflowHandle<String> handle = Scenario.start(one);
            sim.awaitStatus(handle, RunStatus.STUCK);
            one.close();
            Dormouse two = UndoableActivities.open(sim, ctx -> {
                ctx.activities(Bookings.class).pay("ada", 1);
                ctx.sleep(Duration.ofMinutes(1));
            });
            assertThat(sim.result(two.find("w", String.class).orElseThrow())).isEmpty();
            assertThat(sim.log()).containsExactly("pay ada1");
        });
    }

    static class Before {
        interface Shop {
            void buy();
        }
    }

    static class After {
        interface Shop {
            void buy();

            @Compensate(forActivity = "buy")
            void giveBack();
        }
    }

    @WorkflowInterface
    interface Purchase {
        @WorkflowMethod
        String run(Duration pause);

        @QueryMethod
        String mood();
    }

    record Buys(Runnable buy) implements Purchase {
        @Override
        public String run(Duration pause) {
            buy.run();
            Workflow.sleep(pause);
            throw new UndoableActivities.Refused("way");
        }

        @Override
        public String mood() {
            return "sad";
        }
    }

    @Test
    void compensationThatIsAddedToTheCodeIsForRunsThatFailFromThenOn() {
        simulate(sim -> {
            Dormouse one = sim.open(node -> node.workflow(
                            Purchase.class,
                            () -> new Buys(
                                    () -> Workflow.activities(Before.Shop.class).buy()))
                    .activities(Before.Shop.class, () -> sim.log("buy")));
            WorkflowHandle<String> brief = start(one, "brief", Duration.ofSeconds(1));
            start(one, "long", HOUR);
            UndoableActivities.assertRefused(sim.failure(brief));
            sim.advance(Duration.ofMinutes(1));
            assertThat(sim.log()).containsExactly("buy", "buy");
            one.close();

            Dormouse two = sim.open(node -> node.workflow(
                            Purchase.class,
                            () -> new Buys(
                                    () -> Workflow.activities(After.Shop.class).buy()))
                    .activities(After.Shop.class, new After.Shop() {
                        @Override
                        public void buy() {
                            sim.log("buy again");
                        }

                        @Override
                        public void giveBack() {
                            sim.log("give back");
                        }
                    }));
            UndoableActivities.assertRefused(
                    sim.failure(two.find("long", String.class).orElseThrow()));
            assertThat(sim.log()).containsExactly("buy", "buy", "give back");
            for (String id : List.of("long", "brief")) {
                assertThat(two.workflow(Purchase.class, id).mood()).isEqualTo("sad");
            }
        });
    }

    private static WorkflowHandle<String> start(Dormouse dormouse, String id, Duration pause) {
        Purchase purchase = dormouse.workflow(Purchase.class, id);
        return dormouse.start(() -> purchase.run(pause));
    }
}
