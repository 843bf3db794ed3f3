package dev.dormouse.workflow;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.support.Scenario;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Timers as promises, and promises of promises. */
class PromiseTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private static String outcome(Callable<?> call) {
        try {
            return String.valueOf(call.call());
        } catch (DormouseException problem) {
            return problem.code().toString();
        } catch (Exception problem) {
            return problem.getClass().getSimpleName() + ":" + problem.getMessage();
        }
    }

    @Test
    void timersFireInOrderOfTheirDeadlinesAndNotOfTheirCreation() {
        for (Duration unit : List.of(SECOND, MINUTE)) {
            Scenario.returnsWhenKilled("123", unit.multipliedBy(3), sim -> (ctx, input) -> {
                StringBuilder order = new StringBuilder();
                List<Promise<StringBuilder>> all = new ArrayList<>();
                for (int i : List.of(3, 1, 2)) {
                    all.add(ctx.newTimer(unit.multipliedBy(i)).then(nothing -> order.append(i)));
                }
                Promise.allOf(all).get();
                return order.toString();
            });
        }
    }

    @Test
    void timerIsNeverEarlyAndAtMostALittleLate() {
        for (Duration length : List.of(SECOND, Duration.ofSeconds(30), HOUR, Duration.ofHours(5))) {
            simulate(sim -> {
                Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                    Instant begin = ctx.now();
                    Promise<Void> timer = ctx.newTimer(length);
                    assertThat(timer.isDone()).isFalse();
                    timer.get();
                    assertThat(timer.isDone()).isTrue();
                    return Duration.between(begin, ctx.now()).toString();
                });
                sim.advance(Duration.ofSeconds(3));
                Duration took = Duration.parse(sim.result(Scenario.start(dormouse)));
                assertThat(took).isBetween(length, length.plus(Scenario.CLOSE));
            });
        }
    }

    @Test
    void cancelledTimerDoesNotHoldTheRunUpAndItsGetThrows() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                Promise<Void> timer = ctx.newTimer(HOUR);
                ctx.sleep(SECOND.multipliedBy(10));
                timer.cancel();
                timer.cancel();
                String done = String.valueOf(timer.isDone());
                return done + " " + outcome(timer::get) + " " + outcome(() -> timer.await(SECOND)) + " "
                        + outcome(() -> timer.get(SECOND));
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            assertThat(sim.result(handle)).isEqualTo("true RUN_CANCELLED true RUN_CANCELLED");
            assertThat(sim.elapsed()).isLessThan(SECOND.multipliedBy(15));
        });
    }

    @Test
    void cancelOfATimerThatHasFiredDoesNothing() {
        Scenario.returns("null", sim -> (ctx, input) -> {
            Promise<Void> timer = ctx.newTimer(SECOND);
            ctx.sleep(SECOND.multipliedBy(20));
            assertThat(timer.isDone()).isTrue();
            timer.cancel();
            return String.valueOf(timer.get());
        });
    }

    @Test
    void timerThatIsNotAwaitedDoesNotKeepTheRunOpen() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                for (int i = 0; i < 100; i++) {
                    ctx.newTimer(HOUR.plusSeconds(i));
                }
                return ctx.step("s", String.class, () -> "done");
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(sim.elapsed()).isLessThan(SECOND.multipliedBy(5));
            sim.advance(HOUR.multipliedBy(2));
            assertThat(Scenario.kinds(handle)).endsWith("RunCompleted");
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void zeroAndNegativeTimersAreDoneAtOnceOrAtTheNextWait() {
        Scenario.returns("nullnullnulltruetrue", sim -> (ctx, input) -> {
            StringBuilder text = new StringBuilder();
            text.append(ctx.newTimer(Duration.ZERO).get());
            text.append(ctx.newTimer(Duration.ofSeconds(-1)).get());
            text.append(ctx.newTimer(Duration.ofSeconds(Long.MIN_VALUE)).get());
            text.append(ctx.newTimer(Duration.ZERO).await(Duration.ZERO));
            text.append(ctx.newTimer(Duration.ZERO).await(Duration.ofSeconds(-1)));
            return text.toString();
        });
    }

    @Test
    void fiveHundredTimersAtOneInstantAllFireOnce() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                int[] fired = {0};
                List<Promise<Integer>> all = new ArrayList<>();
                for (int i = 0; i < 500; i++) {
                    all.add(ctx.newTimer(Duration.ofMinutes(1)).then(nothing -> ++fired[0]));
                }
                List<Integer> numbers = Promise.allOf(all).get();
                assertThat(numbers).doesNotHaveDuplicates().hasSize(500);
                return String.valueOf(fired[0]);
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("500");
        });
    }

    @Test
    void anyOfIsDoneWithTheFirstAndLeavesTheOthersAlone() {
        Scenario.returnsWhenKilled("b true false true a", Duration.ofSeconds(60), sim -> (ctx, input) -> {
            Promise<String> slow = ctx.newTimer(Duration.ofSeconds(60)).then(nothing -> "a");
            Promise<String> fast = ctx.newTimer(Duration.ofSeconds(4)).then(nothing -> "b");
            Object first = Promise.anyOf(slow, fast).get();
            String text = first + " " + fast.isDone() + " " + slow.isDone();
            Promise.allOf(slow, fast).get();
            return text + " " + slow.isDone() + " " + Promise.anyOf(slow, fast).get();
        });
    }

    @Test
    void exceptionsGoThroughAllOfAnyOfAndThen() {
        Scenario.returnsWhenKilled(
                "IllegalStateException:one|IllegalStateException:one|IllegalStateException:one|ArithmeticException:two|x",
                Duration.ofSeconds(20),
                sim -> (ctx, input) -> {
                    Promise<String> bad = ctx.async(() -> {
                        ctx.sleep(Duration.ofSeconds(8));
                        throw new IllegalStateException("one");
                    });
                    Promise<String> worse = ctx.async(() -> {
                        ctx.sleep(Duration.ofSeconds(2));
                        throw new ArithmeticException("two");
                    });
                    Promise<String> good = ctx.async(() -> ctx.step("s", String.class, () -> "x"));
                    String text = outcome(() -> Promise.allOf(good, bad, worse).get());
                    text += "|" + outcome(bad.then(x -> "never")::get);
                    text += "|" + outcome(bad::get);
                    text += "|" + outcome(Promise.anyOf(worse, bad, good)::get);
                    return text + "|" + outcome(Promise.anyOf(good, bad)::get);
                });
    }

    @Test
    void checkedExceptionOfACoroutineIsTheCauseOfWhatGetThrows() {
        Scenario.returns("java.io.IOException: disk", sim -> (ctx, input) -> {
            Promise<String> bad = ctx.async(() -> {
                throw new java.io.IOException("disk");
            });
            Throwable caught = catchThrowable(bad::get);
            assertClear(caught, ErrorCode.STEP_FAILED);
            return String.valueOf(caught.getCause());
        });
    }

    @Test
    void getWithATimeoutLeavesThePromiseAlone() {
        Scenario.returns("false PROMISE_TIMEOUT x true x", sim -> (ctx, input) -> patience(ctx, SECOND));
        Scenario.returnsWhenKilled(
                "false PROMISE_TIMEOUT x true x", MINUTE.multipliedBy(4), sim -> (ctx, input) -> patience(ctx, MINUTE));
    }

    private static String patience(WorkflowContext ctx, Duration unit) {
        Promise<String> slow = ctx.newTimer(unit.multipliedBy(4)).then(nothing -> "x");
        String text = slow.await(unit) + " " + outcome(() -> slow.get(unit));
        text += " " + slow.get(unit.multipliedBy(9));
        return text + " " + slow.await(unit) + " " + slow.get();
    }

    @Test
    void timeoutOfAGetIsAClearError() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                Promise<Void> slow = ctx.newTimer(HOUR);
                assertClear(catchThrowable(() -> slow.get(SECOND)), ErrorCode.PROMISE_TIMEOUT);
                assertClear(catchThrowable(() -> slow.get(Duration.ZERO)), ErrorCode.PROMISE_TIMEOUT);
                assertClear(catchThrowable(() -> slow.get(Duration.ofDays(-1))), ErrorCode.PROMISE_TIMEOUT);
                return "ok";
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("ok");
        });
    }

    @Test
    void promisesOfPromisesNest() {
        Scenario.returnsWhenKilled("[[1, 2], 3, [4]] 7", Duration.ofSeconds(10), sim -> (ctx, input) -> {
            Promise<Integer> one = ctx.newTimer(SECOND.multipliedBy(3)).then(nothing -> 1);
            Promise<Integer> two = ctx.async(() -> ctx.step("two", Integer.class, () -> 2));
            Promise<Integer> three = one.then(x -> x + two.get());
            Promise<List<Integer>> four = Promise.allOf(List.of(three.then(x -> x + 1)));
            Promise<Promise<Integer>> outer = ctx.async(() -> four.then(list -> list.get(0) + three.get()));
            String text = Promise.allOf(Promise.allOf(one, two), Promise.anyOf(three), four)
                    .get()
                    .toString();
            return text + " " + outer.get().get();
        });
    }

    @Test
    void allOfNoneIsDoneAndAnyOfNoneIsRefused() {
        Scenario.returns("[][]truetrue BAD_ARGUMENT", sim -> (ctx, input) -> {
            Promise<List<Object>> none = Promise.allOf();
            Promise<List<String>> empty = Promise.allOf(List.<Promise<String>>of());
            String text = none.get() + "" + empty.get() + none.isDone() + empty.await(Duration.ZERO);
            assertClear(catchThrowable(Promise::anyOf), ErrorCode.BAD_ARGUMENT);
            return text + " " + outcome(Promise::anyOf);
        });
    }

    @Test
    void cancelOfAllOfAndAnyOfCancelsTheOnesThatAreNotDone() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                Promise<String> done = ctx.newTimer(SECOND).then(nothing -> "x");
                Promise<Void> slow = ctx.newTimer(HOUR);
                Promise<String> coroutine = ctx.async(() -> {
                    ctx.sleep(HOUR.multipliedBy(2));
                    return "slept";
                });
                done.get();
                Promise<List<Object>> all = Promise.allOf(done, slow, coroutine);
                all.cancel();
                return outcome(done::get) + outcome(slow::get) + outcome(coroutine::get) + outcome(all::get);
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("xRUN_CANCELLEDRUN_CANCELLEDRUN_CANCELLED");
            assertThat(sim.elapsed()).isLessThan(SECOND.multipliedBy(15));
        });
    }

    @Test
    void resultThatIsNullIsAResult() {
        Scenario.returns("null [null, null] null", sim -> (ctx, input) -> {
            Promise<String> nothing = ctx.async(() -> ctx.step("s", String.class, () -> null));
            return nothing.get() + " "
                    + Promise.allOf(nothing, nothing.then(x -> x)).get() + " "
                    + Promise.anyOf(nothing).get();
        });
    }

    @Test
    void timerInAConditionWakesIt() {
        Scenario.returnsWhenKilled("true", Duration.ofSeconds(12), sim -> (ctx, input) -> {
            Promise<Void> timer = ctx.newTimer(Duration.ofSeconds(12));
            ctx.await(timer::isDone);
            return String.valueOf(ctx.await(HOUR, timer::isDone));
        });
    }
}
