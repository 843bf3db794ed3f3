package dev.dormouse.timer;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.TimerPolicy;
import dev.dormouse.UpdatableTimer;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.HistoryEvent;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Updatable timers: moves earlier and later, limits and refusals. */
class UpdatableTimerTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @WorkflowInterface
    interface Timed {
        @WorkflowMethod
        String run(Instant end);

        @SignalMethod
        void move(Instant to);

        @UpdateMethod
        String ask(Instant to, String reason);

        @QueryMethod
        List<String> changes();

        @QueryMethod
        Instant end();
    }

    static final class TimedWorkflow implements Timed {
        private final UpdatableTimer timer;

        TimedWorkflow(TimerPolicy policy) {
            timer = Workflow.newUpdatableTimer("t", policy);
        }

        @Override
        public String run(Instant end) {
            timer.sleepUntil(end);
            String at = Workflow.now().toString();
            Workflow.sleep(MINUTE.multipliedBy(100));
            return at;
        }

        @Override
        public void move(Instant to) {
            timer.updateWakeUpTime(to);
        }

        @Override
        public String ask(Instant to, String reason) {
            timer.updateWakeUpTime(to, reason);
            return String.valueOf(timer.wakeUpTime());
        }

        @Override
        public List<String> changes() {
            List<String> all = new ArrayList<>();
            timer.changes().forEach(change -> all.add(change.reason() + "/" + change.isRefused()));
            return all;
        }

        @Override
        public Instant end() {
            return timer.wakeUpTime();
        }
    }

    private static Dormouse open(SimulatedDormouse sim, TimerPolicy policy) {
        return sim.open(node -> SimulatedDormouse.echo(node).workflow(Timed.class, () -> new TimedWorkflow(policy)));
    }

    private static void until(SimulatedDormouse sim, Instant instant) {
        sim.advance(Duration.between(sim.now(), instant));
    }

    private static void assertRefused(Throwable problem, String why) {
        assertClear(problem, ErrorCode.UPDATE_FAILED);
        assertThat(problem).hasMessageContaining(why);
        assertThat(problem.getMessage()).contains("[" + ErrorCode.TIMER_REFUSED.label() + "]");
    }

    /** Starts a timer of {@code end} minutes, moves it after one minute, and asserts when it fires. */
    private static void moved(int end, Duration by, Duration expected) {
        for (boolean kill : List.of(false, true)) {
            simulate(sim -> {
                Dormouse one = open(sim, TimerPolicy.ANY);
                Instant start = sim.now();
                Timed timed = one.workflow(Timed.class, "w");
                one.start(() -> timed.run(start.plus(MINUTE.multipliedBy(end))));
                until(sim, start.plus(MINUTE));
                timed.move(start.plus(MINUTE).plus(by));
                if (kill) {
                    sim.kill(one);
                }
                Dormouse two = open(sim, TimerPolicy.ANY);
                Instant at =
                        Instant.parse(sim.result(two.find("w", String.class).orElseThrow()));
                Duration most = kill ? Duration.ofSeconds(17) : Scenario.CLOSE;
                assertThat(Duration.between(start.plus(expected), at)).isBetween(Duration.ZERO, most);
            });
        }
    }

    @Test
    void extendedAndShortenedItEndsWhenItShould() {
        moved(3, MINUTE.multipliedBy(9), MINUTE.multipliedBy(10));
        moved(30, MINUTE.multipliedBy(4), MINUTE.multipliedBy(5));
        moved(30, Duration.ofSeconds(3), Duration.ofSeconds(63));
    }

    @Test
    void movedToThePastItEndsAtOnce() {
        moved(30, Duration.ZERO, MINUTE);
        moved(30, MINUTE.negated(), MINUTE);
        moved(30, Duration.ofDays(-40_000), MINUTE);
    }

    @Test
    void instantsThatNoStoreCanHoldAreRefusedAndTheRunIsUnharmed() {
        for (Instant far : List.of(Instant.MAX, Instant.parse("+300000-01-01T00:00:00Z"))) {
            simulate(sim -> {
                Dormouse dormouse = open(sim, TimerPolicy.ANY);
                Instant start = sim.now();
                Timed timed = dormouse.workflow(Timed.class, "w");
                WorkflowHandle<String> handle = dormouse.start(() -> timed.run(start.plus(MINUTE.multipliedBy(30))));
                sim.advance(MINUTE);
                Throwable refused = catchThrowable(() -> handle.timer("t").reschedule(far));
                sim.advance(MINUTE);
                assertThat(handle.describe().status()).isEqualTo(RunStatus.WAITING);
                assertThat(refused).isNotNull();
                assertThat(refused.getMessage()).contains("Expected ");
                timed.move(start.plus(MINUTE.multipliedBy(5)));
                assertThat(Instant.parse(sim.result(handle)))
                        .isBetween(start.plus(MINUTE.multipliedBy(5)), start.plus(MINUTE.multipliedBy(6)));
            });
        }
    }

    @Test
    void instantFarInThePastIsThePast() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, TimerPolicy.ANY);
            Instant start = sim.now();
            Timed timed = dormouse.workflow(Timed.class, "w");
            WorkflowHandle<String> handle = dormouse.start(() -> timed.run(start.plus(MINUTE.multipliedBy(30))));
            sim.advance(MINUTE);
            handle.timer("t").reschedule(Instant.MIN);
            assertThat(Instant.parse(sim.result(handle))).isBefore(start.plus(MINUTE.multipliedBy(2)));
        });
    }

    @Test
    void nullIsRefusedAndTheRunIsUnharmed() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, TimerPolicy.ANY);
            Instant start = sim.now();
            Timed timed = dormouse.workflow(Timed.class, "w");
            Instant end = start.plus(MINUTE.multipliedBy(30));
            WorkflowHandle<String> handle = dormouse.start(() -> timed.run(end));
            sim.advance(MINUTE);
            timed.move(null);
            String unclear = new Scenario.BadCalls()
                    .add("reschedule(null)", () -> handle.timer("t").reschedule(null))
                    .add("reschedule(null reason)", () -> handle.timer("t").reschedule(end, null))
                    .add("timer(null)", () -> handle.timer(null).reschedule(end))
                    .add("timer(empty)", () -> handle.timer("").reschedule(end))
                    .add("timer(unknown)", () -> handle.timer("x").reschedule(end))
                    .add("update with null", () -> timed.ask(null, "x"))
                    .unclear();
            assertThat(timed.end()).isEqualTo(end);
            assertThat(Instant.parse(sim.result(handle))).isBetween(end, end.plus(Scenario.CLOSE));
            assertThat(unclear).isEmpty();
        });
    }

    @Test
    void errorsOfNullsNameNoClassesOfJava() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, TimerPolicy.ANY);
            Instant end = sim.now().plus(MINUTE.multipliedBy(30));
            Timed timed = dormouse.workflow(Timed.class, "w");
            WorkflowHandle<String> handle = dormouse.start(() -> timed.run(end));
            sim.advance(MINUTE);
            assertThat(catchThrowable(() -> handle.timer("t").reschedule(null)))
                    .hasMessageNotContaining("NullPointerException");
            assertThat(catchThrowable(() -> timed.ask(null, "x"))).hasMessageNotContaining("NullPointerException");
        });
    }

    @Test
    void policiesRefuseWithAReasonAndTheOldEndStays() {
        simulate(sim -> {
            Instant start = sim.now();
            Instant end = start.plus(MINUTE.multipliedBy(30));
            TimerPolicy policy = TimerPolicy.ANY
                    .withOnlyLater()
                    .withLatest(end.plus(MINUTE.multipliedBy(5)))
                    .withMaxChanges(2);
            Dormouse dormouse = open(sim, policy);
            Timed timed = dormouse.workflow(Timed.class, "w");
            WorkflowHandle<String> handle = dormouse.start(() -> timed.run(end));
            sim.advance(MINUTE);
            assertRefused(catchThrowable(() -> timed.ask(end.minusSeconds(1), "earlier")), "later");
            assertRefused(catchThrowable(() -> timed.ask(end, "same")), "later");
            assertRefused(catchThrowable(() -> timed.ask(end.plus(MINUTE.multipliedBy(6)), "beyond")), "beyond");
            assertThat(timed.end()).isEqualTo(end);
            Instant last = end.plus(MINUTE.multipliedBy(5));
            timed.ask(end.plusSeconds(1), "one");
            timed.ask(last, "two");
            assertRefused(catchThrowable(() -> timed.ask(last, "three")), "2 times");
            timed.move(end.minusSeconds(1));
            sim.advance(MINUTE);
            assertThat(timed.changes())
                    .containsExactly(
                            "earlier/true",
                            "same/true",
                            "beyond/true",
                            "one/false",
                            "two/false",
                            "three/true",
                            "/true");
            assertThat(Instant.parse(sim.result(handle))).isBetween(last, last.plus(Scenario.CLOSE));
            assertThat(timed.changes()).hasSize(7);
        });
    }

    @Test
    void pastIsRefusedWhereOnlyTheFutureIsAllowedAndTheFutureMayBeEarlier() {
        simulate(sim -> {
            Instant start = sim.now();
            Dormouse dormouse = open(sim, TimerPolicy.ANY.withOnlyFuture());
            Timed timed = dormouse.workflow(Timed.class, "w");
            WorkflowHandle<String> handle = dormouse.start(() -> timed.run(start.plus(MINUTE.multipliedBy(30))));
            until(sim, start.plus(MINUTE.multipliedBy(10)));
            assertRefused(catchThrowable(() -> timed.ask(start.plus(MINUTE.multipliedBy(9)), "past")), "future");
            assertRefused(catchThrowable(() -> handle.timer("t").reschedule(start)), "future");
            timed.ask(start.plus(MINUTE.multipliedBy(11)), "soon");
            assertThat(Instant.parse(sim.result(handle)))
                    .isBetween(
                            start.plus(MINUTE.multipliedBy(11)),
                            start.plus(MINUTE.multipliedBy(11)).plus(Scenario.CLOSE));
        });
    }

    @Test
    void afterItsEndAChangeIsRefusedAndNoted() {
        simulate(sim -> {
            Instant start = sim.now();
            Dormouse dormouse = open(sim, TimerPolicy.ANY);
            Timed timed = dormouse.workflow(Timed.class, "w");
            WorkflowHandle<String> handle = dormouse.start(() -> timed.run(start.plus(MINUTE)));
            until(sim, start.plus(MINUTE.multipliedBy(2)));
            assertRefused(catchThrowable(() -> timed.ask(start.plus(MINUTE.multipliedBy(9)), "late")), "over");
            timed.move(start.plus(MINUTE.multipliedBy(9)));
            sim.advance(MINUTE);
            assertThat(timed.end()).isEqualTo(start.plus(MINUTE));
            assertThat(timed.changes()).containsExactly("late/true", "/true");
            assertThat(Instant.parse(sim.result(handle))).isBefore(start.plus(MINUTE.multipliedBy(2)));
            assertClear(
                    catchThrowable(() -> handle.timer("t").reschedule(start.plus(MINUTE.multipliedBy(900)))),
                    ErrorCode.RUN_CLOSED);
        });
    }

    @Test
    void rescheduleFromANodeWithoutTheCodeIsAnsweredByOneThatHasIt() {
        simulate(sim -> {
            Instant start = sim.now();
            Dormouse dormouse = open(sim, TimerPolicy.ANY.withOnlyLater());
            Dormouse client = sim.open(node -> node);
            Timed timed = dormouse.workflow(Timed.class, "w");
            dormouse.start(() -> timed.run(start.plus(MINUTE.multipliedBy(10))));
            sim.advance(MINUTE);
            WorkflowHandle<String> handle = client.find("w", String.class).orElseThrow();
            handle.timer("t").reschedule(start.plus(MINUTE.multipliedBy(20)), "from afar");
            assertRefused(catchThrowable(() -> handle.timer("t").reschedule(start)), "later");
            assertClear(catchThrowable(() -> handle.timer("u").reschedule(start)), ErrorCode.UPDATE_FAILED);
            sim.kill(dormouse);
            Throwable alone = catchThrowable(() -> handle.timer("t").reschedule(start.plus(MINUTE.multipliedBy(30))));
            assertClear(alone, ErrorCode.NOT_ANSWERED);
            Dormouse again = open(sim, TimerPolicy.ANY.withOnlyLater());
            Instant at = Instant.parse(sim.result(again.find("w", String.class).orElseThrow()));
            assertThat(at).isBetween(start.plus(MINUTE.multipliedBy(30)), start.plus(MINUTE.multipliedBy(31)));
            assertThat(again.workflow(Timed.class, "w").changes())
                    .containsExactly("from afar/false", "/true", "/false");
        });
    }

    @Test
    void thousandUpdatesFromTwoNodesAreOneAlarmAndTheHistoryIsBounded() {
        simulate(sim -> {
            Instant start = sim.now();
            Dormouse one = open(sim, TimerPolicy.ANY);
            Timed timed = one.workflow(Timed.class, "w");
            WorkflowHandle<String> handle = one.start(() -> timed.run(start.plus(MINUTE.multipliedBy(600))));
            Dormouse two = open(sim, TimerPolicy.ANY);
            for (int i = 1; i <= 1_000; i++) {
                Timed stub = (i % 2 == 0 ? one : two).workflow(Timed.class, "w");
                stub.move(start.plus(MINUTE.multipliedBy(700)).plusSeconds(i));
            }
            sim.advance(MINUTE);
            assertThat(handle.history()).hasSizeLessThanOrEqualTo(1_001);
            assertThat(handle.history()).extracting(HistoryEvent::kind).doesNotContain("TimerScheduled");
            assertThat(handle.describe().wakeAt())
                    .contains(start.plus(MINUTE.multipliedBy(700)).plusSeconds(1_000));
            assertThat(timed.changes()).hasSize(1_000);
            timed.move(start.plus(MINUTE.multipliedBy(5)));
            assertThat(timed.changes()).hasSize(1_000);
            assertThat(Instant.parse(sim.result(handle))).isBefore(start.plus(MINUTE.multipliedBy(6)));
        });
    }
}
