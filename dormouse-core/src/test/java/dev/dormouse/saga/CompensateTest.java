package dev.dormouse.saga;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.SignalMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.WorkflowException;
import dev.dormouse.error.WorkflowFailedException;
import dev.dormouse.support.Bookings;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.UndoableActivities;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Compensations that the run executes itself ({@code @Compensate}). */
class CompensateTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private static void bookThree(Bookings bookings) {
        bookings.book("a", List.of("1", "2"));
        bookings.pay("ada", 7);
        bookings.lock();
        bookings.note("x");
        bookings.count();
    }

    private static final List<String> THREE = List.of(
            "book a",
            "pay ada7",
            "lock",
            "note x",
            "count",
            "uncount 42",
            "unlock",
            "refund ada7",
            "cancel a[1, 2]T-a[1, 2]");

    @Test
    void runThatFailsUndoesItsCompletedCallsFromTheLastToTheFirst() {
        UndoableActivities.fails(THREE, Duration.ofSeconds(11), ctx -> {
            Bookings bookings = ctx.activities(Bookings.class);
            bookThree(bookings);
            bookings.book("bad", List.of()); // fails, and so it is not undone
        });
    }

    @WorkflowInterface
    interface Trip {
        @WorkflowMethod(name = "w")
        String go(String input);

        @SignalMethod
        void extra(String what);
    }

    static class TripWorkflow implements Trip {
        private final Bookings bookings = Bookings.stub();
        private int extras;

        @Override
        public String go(String input) {
            bookings.pay("ada", 1);
            Workflow.await(() -> extras == 2);
            throw new UndoableActivities.Refused("way");
        }

        @Override
        public void extra(String what) {
            bookings.book(what, List.of());
            extras++;
        }
    }

    @Test
    void callsOfSignalHandlersCount() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node ->
                    node.workflow(Trip.class, TripWorkflow::new).activities(Bookings.class, new Bookings.Real(sim)));
            WorkflowHandle<String> handle = dormouse.start("w", "w", String.class, "");
            for (String what : List.of("x", "y")) {
                sim.advance(Duration.ofSeconds(20));
                handle.signal("extra", what);
            }
            UndoableActivities.assertRefused(sim.failure(handle));
            assertThat(sim.log())
                    .containsExactly(
                            "pay ada1", "book x", "book y", "cancel y[]T-y[]", "cancel x[]T-x[]", "refund ada1");
        });
    }

    static class EagerWorkflow extends TripWorkflow {
        EagerWorkflow() {
            Bookings.stub().pay("ada", 2);
            throw new UndoableActivities.Refused("way");
        }
    }

    @Test
    void callsOfAConstructorCount() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node ->
                    node.workflow(Trip.class, EagerWorkflow::new).activities(Bookings.class, new Bookings.Real(sim)));
            UndoableActivities.assertRefused(sim.failure(dormouse.start("w", "w", String.class, "")));
            assertThat(sim.log()).containsExactly("pay ada2", "refund ada2");
        });
    }

    @Test
    void cancelledRunUndoesAlthoughItsNodeDiesInIt() {
        for (long kill : List.of(0L, 500L, 1_500L, 2_500L)) {
            simulate(sim -> {
                Dormouse one = UndoableActivities.open(sim, CompensateTest::bookAndSleep);
                WorkflowHandle<String> there = Scenario.start(one);
                sim.advance(Duration.ofMinutes(1));
                there.cancel("not wanted");
                sim.advance(Duration.ofMillis(kill));
                sim.kill(one);
                Dormouse two = UndoableActivities.open(sim, CompensateTest::bookAndSleep);
                WorkflowException failure =
                        sim.failure(two.find("w", String.class).orElseThrow());
                assertClear(failure, ErrorCode.RUN_CANCELLED);
                assertThat(failure).hasMessageContaining("not wanted");
                assertThat(sim.log()).isEqualTo(THREE);
            });
        }
    }

    private static void bookAndSleep(WorkflowContext ctx) {
        bookThree(ctx.activities(Bookings.class));
        ctx.sleep(HOUR);
    }

    @Test
    void callThatACancelInterruptsIsNotUndone() {
        simulate(sim -> {
            Dormouse dormouse = UndoableActivities.open(sim, ctx -> {
                Bookings bookings = ctx.activities(Bookings.class);
                bookings.pay("ada", 1);
                bookings.pay("ada", 2);
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(Duration.ofMillis(1_500));
            handle.cancel("not wanted");
            assertClear(sim.failure(handle), ErrorCode.RUN_CANCELLED);
            assertThat(sim.log()).contains("pay ada1", "refund ada1").doesNotContain("refund ada2");
        });
    }

    private static void bookTwoOfWhichOneCannotBeCancelled(WorkflowContext ctx) {
        Bookings bookings = ctx.activities(Bookings.class);
        bookings.pay("ada", 1);
        bookings.book("a", List.of("bad seat"));
        bookings.lock();
        ctx.sleep(Duration.ofMinutes(1));
    }

    private static final List<String> ONE_IS_LEFT = List.of("pay ada1", "book a", "lock", "unlock", "refund ada1");

    @Test
    void compensationThatFailsDoesNotStopTheOthersAndIsNamedInTheFailure() {
        UndoableActivities.fails(ONE_IS_LEFT, Duration.ofSeconds(8), ctx -> {
            bookTwoOfWhichOneCannotBeCancelled(ctx);
            throw new UndoableActivities.Refused("way");
        });
        simulate(sim -> {
            Dormouse dormouse = UndoableActivities.open(sim, ctx -> {
                bookTwoOfWhichOneCannotBeCancelled(ctx);
                throw new UndoableActivities.Refused("way");
            });
            WorkflowFailedException failure = (WorkflowFailedException) sim.failure(Scenario.start(dormouse));
            assertThat(failure.failure().getMessage()).isEqualTo("no way");
            assertThat(failure.failure().stackTraceText())
                    .contains("[DM3015]", "of 3 that ran 1 failed: Bookings.cancel with ", "no bad seat");
        });
    }

    @Test
    void compensationThatFailsIsNamedInTheReasonOfACancelledRun() {
        simulate(sim -> {
            Dormouse dormouse = UndoableActivities.open(sim, CompensateTest::bookTwoOfWhichOneCannotBeCancelled);
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(Duration.ofSeconds(10));
            handle.cancel("not wanted");
            WorkflowException failure = sim.failure(handle);
            assertClear(failure, ErrorCode.RUN_CANCELLED);
            assertThat(failure.getMessage()).contains("not wanted", "Bookings.cancel with ", "no bad seat");
            assertThat(sim.log()).isEqualTo(ONE_IS_LEFT);
        });
    }

    @Test
    void callsOfCoroutinesAreUndoneInTheReverseOrderOfTheirCompletion() {
        UndoableActivities.fails(Duration.ofSeconds(18), CompensateTest::payInTwoCoroutines, log -> {
            List<String> done = log.stream().distinct().toList();
            boolean asPlanned = done.get(0).equals("pay a1"); // not where it had to be tried again
            assertThat(done)
                    .isEqualTo(
                            asPlanned
                                    ? List.of("pay a1", "pay b2", "refund b2", "refund a1")
                                    : List.of("pay b2", "pay a1", "refund a1", "refund b2"));
        });
    }

    private static void payInTwoCoroutines(WorkflowContext ctx) {
        Bookings bookings = ctx.activities(Bookings.class);
        Promise<String> late = ctx.async(() -> {
            ctx.sleep(Duration.ofSeconds(12));
            bookings.pay("b", 2);
            return "";
        });
        Promise<String> early = ctx.async(() -> {
            bookings.pay("a", 1);
            return "";
        });
        Promise.allOf(late, early).get();
        throw new UndoableActivities.Refused("way");
    }

    @Test
    void callInFlightWhenTheWorkflowFailsIsWaitedForAndUndoneAndNoOtherBegins() {
        UndoableActivities.fails(
                Duration.ofSeconds(6),
                CompensateTest::failWhileACoroutinePays,
                log -> assertThat(log.stream().distinct().toList())
                        .containsExactlyInAnyOrder("pay a1", "pay b2", "refund a1", "refund b2")
                        .containsSubsequence("pay a1", "refund a1")
                        .containsSubsequence("pay b2", "refund b2"));
    }

    private static void failWhileACoroutinePays(WorkflowContext ctx) {
        Bookings bookings = ctx.activities(Bookings.class);
        bookings.pay("a", 1);
        ctx.async(() -> {
            bookings.pay("b", 2);
            bookings.pay("b", 3);
            return "";
        });
        ctx.sleep(Duration.ofMillis(500));
        throw new UndoableActivities.Refused("way");
    }

    @Test
    void whatIsChangedAfterTheCallDoesNotChangeTheCompensation() {
        simulate(sim -> {
            Dormouse dormouse = UndoableActivities.open(sim, ctx -> {
                List<String> seats = new ArrayList<>(List.of("1"));
                Bookings.Ticket ticket = ctx.activities(Bookings.class).book("a", seats);
                seats.add("2");
                ticket.seats().add("3");
                throw new UndoableActivities.Refused("way");
            });
            UndoableActivities.assertRefused(sim.failure(Scenario.start(dormouse)));
            assertThat(sim.log()).containsExactly("book a", "cancel a[1]T-a[1]");
        });
    }

    @Test
    void compensationIsTriedAgainUnderTheOptionsOfItsStub() {
        simulate(sim -> {
            int[] attempts = {0};
            Bookings moody = new Bookings.Real(sim) {
                @Override
                public void unlock() {
                    if (attempts[0]++ < 3) {
                        throw new IllegalStateException("not now");
                    }
                    super.unlock();
                }
            };
            Dormouse dormouse = sim.open(node -> Scenario.with(node, (ctx, input) -> {
                        ctx.activities(Bookings.class, ActivityOptions.DEFAULT).lock();
                        throw new UndoableActivities.Refused("way");
                    })
                    .activities(Bookings.class, moody));
            UndoableActivities.assertRefused(sim.failure(Scenario.start(dormouse)));
            assertThat(sim.log()).containsExactly("lock", "unlock");
            assertThat(attempts[0]).isEqualTo(4);
        });
    }
}
