package dev.dormouse.timer;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.TimerChange;
import dev.dormouse.TimerPolicy;
import dev.dormouse.UpdatableTimer;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.support.Scenario;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Updatable timers that the workflow's own code moves. */
class UpdatableTimerInCodeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void updateBeforeTheFirstWaitWinsOverItsArgument() {
        for (Duration first : List.of(Duration.ofSeconds(3), Duration.ofSeconds(40))) {
            simulate(sim -> {
                Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                    UpdatableTimer timer = ctx.newUpdatableTimer();
                    assertThat(timer.wakeUpTime()).isNull();
                    assertThat(timer.changes()).isEmpty();
                    Instant begin = ctx.now();
                    timer.updateWakeUpTime(begin.plus(first), "early");
                    assertThat(timer.wakeUpTime()).isEqualTo(begin.plus(first));
                    timer.sleepUntil(begin.plus(HOUR));
                    assertThat(timer.wakeUpTime()).isEqualTo(begin.plus(first));
                    assertThat(timer.changes())
                            .containsExactly(
                                    new TimerChange(begin, java.util.Optional.empty(), begin.plus(first), "early", ""));
                    return Duration.between(begin, ctx.now()).toString();
                });
                assertThat(Duration.parse(sim.result(Scenario.start(dormouse))))
                        .isBetween(first, first.plus(Scenario.CLOSE));
            });
        }
    }

    @Test
    void secondWaitGoesByItsOwnArgumentAndCanBeMovedAgain() {
        Scenario.returnsWhenKilled("false false true PT40S", Duration.ofSeconds(40), sim -> (ctx, input) -> {
            UpdatableTimer timer = ctx.newUpdatableTimer("t", TimerPolicy.ANY);
            Instant begin = ctx.now();
            boolean one = timer.await(begin.plus(SECOND), () -> false);
            Promise<String> mover = ctx.async(() -> {
                timer.updateWakeUpTime(begin.plusSeconds(40), "again");
                return "";
            });
            boolean two = timer.await(begin.plus(HOUR), () -> false);
            mover.get();
            boolean three = timer.await(begin.plus(HOUR), () -> true);
            return one + " " + two + " " + three + " "
                    + Duration.between(begin, timer.changes().get(0).to());
        });
    }

    @Test
    void updateBetweenTwoWaitsIsRefused() {
        Scenario.returns("ok", sim -> (ctx, input) -> {
            UpdatableTimer timer = ctx.newUpdatableTimer();
            timer.sleepUntil(ctx.now().plus(SECOND));
            assertClear(catchThrowable(() -> timer.updateWakeUpTime(ctx.now().plus(HOUR))), ErrorCode.TIMER_REFUSED);
            Instant begin = ctx.now();
            timer.sleepUntil(begin.plusSeconds(10));
            assertThat(Duration.between(begin, ctx.now())).isLessThan(SECOND.multipliedBy(12));
            return "ok";
        });
    }

    @Test
    void secondCoroutineThatWaitsOnATimerIsRefusedAndTheFirstIsUnharmed() {
        Scenario.returns("ok", sim -> (ctx, input) -> {
            UpdatableTimer timer = ctx.newUpdatableTimer("t", TimerPolicy.ANY);
            Instant begin = ctx.now();
            Promise<String> first = ctx.async(() -> {
                timer.sleepUntil(begin.plusSeconds(8));
                return Duration.between(begin, ctx.now()).toSeconds() + "";
            });
            ctx.sleep(SECOND);
            assertClear(catchThrowable(() -> timer.sleepUntil(begin.plus(HOUR))), ErrorCode.NOT_ALLOWED_HERE);
            assertThat(timer.wakeUpTime()).isEqualTo(begin.plusSeconds(8));
            timer.updateWakeUpTime(begin.plusSeconds(12));
            assertThat(first.get()).isEqualTo("12");
            return "ok";
        });
    }

    @Test
    void twentyTimersOfOneRunAreMovedWithoutDisturbingEachOther() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                Instant begin = ctx.now();
                StringBuilder order = new StringBuilder();
                List<Promise<Object>> all = new java.util.ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    int number = i;
                    UpdatableTimer timer = ctx.newUpdatableTimer("t" + i, TimerPolicy.ANY);
                    all.add(ctx.async(() -> {
                        timer.sleepUntil(begin.plus(Duration.ofMinutes(30 + number)));
                        return order.append((char) ('a' + number));
                    }));
                }
                Promise.allOf(all).get();
                return order.toString();
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            Instant start = sim.now();
            sim.advance(SECOND);
            for (int i = 0; i < 20; i += 2) {
                handle.timer("t" + i).reschedule(start.plus(Duration.ofMinutes(29 - i)));
            }
            assertThat(sim.result(handle)).isEqualTo("sqomkigecabdfhjlnprt");
        });
    }

    @Test
    void twoTimersOfOneNameAreRefused() {
        Scenario.returns("ok", sim -> (ctx, input) -> {
            ctx.newUpdatableTimer("t", TimerPolicy.ANY);
            assertThat(new Scenario.BadCalls()
                            .add("same name", () -> ctx.newUpdatableTimer("t", TimerPolicy.ANY))
                            .unclear())
                    .isEmpty();
            return "ok";
        });
    }

    @Test
    void badNamesPoliciesAndInstantsAreRefusedClearly() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                UpdatableTimer timer = ctx.newUpdatableTimer("t", TimerPolicy.ANY);
                String unclear = new Scenario.BadCalls()
                        .add("null name", () -> ctx.newUpdatableTimer(null, TimerPolicy.ANY))
                        .add("empty name", () -> ctx.newUpdatableTimer("", TimerPolicy.ANY))
                        .add("null policy", () -> ctx.newUpdatableTimer("u", null))
                        .add("atMost(-1)", () -> TimerPolicy.ANY.withMaxChanges(-1))
                        .add("notAfter(null)", () -> TimerPolicy.ANY.withLatest(null))
                        .add("sleepUntil(null)", () -> timer.sleepUntil(null))
                        .add("await(null)", () -> timer.await(ctx.now(), null))
                        .add("sleepUntil(MAX)", () -> timer.sleepUntil(Instant.MAX))
                        .add("update(null)", () -> timer.updateWakeUpTime(null))
                        .unclear();
                ctx.newUpdatableTimer("v", TimerPolicy.ANY).sleepUntil(ctx.now().plus(SECOND));
                return unclear;
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEmpty();
        });
    }

    @Test
    void timerThatABadWaitWasRefusedOnCanStillBeUsed() {
        Scenario.returns("false", sim -> (ctx, input) -> {
            UpdatableTimer timer = ctx.newUpdatableTimer("t", TimerPolicy.ANY);
            assertThat(catchThrowable(() -> timer.sleepUntil(Instant.MAX))).isNotNull();
            Instant end = ctx.now().plusSeconds(10);
            Promise<String> mover = ctx.async(() -> {
                timer.updateWakeUpTime(end);
                return "";
            });
            boolean held = timer.await(ctx.now().plusSeconds(3), () -> false);
            mover.get();
            return String.valueOf(held);
        });
    }

    @Test
    void updateToInstantMaxByTheCodeIsRefusedAndDoesNotAffectTheWait() {
        Scenario.returns("refused waited", sim -> (ctx, input) -> {
            UpdatableTimer timer = ctx.newUpdatableTimer("t", TimerPolicy.ANY);
            Promise<String> waits = ctx.async(() -> {
                timer.sleepUntil(ctx.now().plusSeconds(10));
                return "waited";
            });
            ctx.sleep(SECOND);
            String text = catchThrowable(() -> timer.updateWakeUpTime(Instant.MAX)) == null ? "taken " : "refused ";
            Throwable hit = catchThrowable(waits::get);
            return text + (hit == null ? waits.get() : hit.toString());
        });
    }

    @Test
    void waitWithAPastInstantReturnsAtOnceAndAMetConditionNeedsNoTime() {
        Scenario.returns("false true true false", sim -> (ctx, input) -> {
            Instant begin = ctx.now();
            String text = ctx.newUpdatableTimer().await(begin.minusSeconds(5), () -> false) + " ";
            text += ctx.newUpdatableTimer().await(begin.minusSeconds(5), () -> true) + " ";
            text += ctx.newUpdatableTimer().await(Instant.MIN, () -> true) + " ";
            text += ctx.newUpdatableTimer().await(Instant.MIN, () -> false);
            assertThat(ctx.now()).isEqualTo(begin);
            return text;
        });
    }

    @Test
    void conditionThatThrowsEndsTheWaitWithItsExceptionAndTheTimerIsOver() {
        Scenario.returns("x TIMER_REFUSED", sim -> (ctx, input) -> {
            UpdatableTimer timer = ctx.newUpdatableTimer();
            int[] asked = {0};
            ctx.async(() -> {
                ctx.sleep(SECOND);
                return ++asked[0];
            });
            Throwable thrown = catchThrowable(() -> timer.await(ctx.now().plus(HOUR), () -> {
                if (asked[0] > 0) {
                    throw new IllegalStateException("x");
                }
                return false;
            }));
            Throwable over =
                    catchThrowable(() -> timer.updateWakeUpTime(ctx.now().plus(HOUR)));
            assertClear(over, ErrorCode.TIMER_REFUSED);
            return thrown.getMessage() + " TIMER_REFUSED";
        });
    }
}
