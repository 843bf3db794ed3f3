package dev.dormouse.workflow;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.WorkflowException;
import dev.dormouse.inspect.HistoryEvent;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Sleeps: their length, and their order in replay. */
class SleepTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Instant YEAR_9999 = Instant.parse("9999-12-31T23:59:59.999999Z");

    private static DormouseBuilder sleeper(SimulatedDormouse sim, DormouseBuilder builder, Duration... sleeps) {
        return builder.workflow("sleeper", String.class, Integer.class, (ctx, input) -> {
            for (int i = 0; i < sleeps.length; i++) {
                Instant before = ctx.now();
                ctx.sleep(sleeps[i]);
                assertThat(ctx.now()).isAfterOrEqualTo(before.plus(sleeps[i]));
                int number = i;
                ctx.step("after " + i, () -> {
                    assertThat(sim.now()).isAfterOrEqualTo(before.plus(sleeps[number]));
                    sim.log(number + " at " + sim.elapsed().toSeconds());
                });
            }
            return sleeps.length;
        });
    }

    @Test
    void severalSleepsInARowMatchInOrder() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> sleeper(sim, node, HOUR, HOUR.multipliedBy(3), HOUR.multipliedBy(2)));
            WorkflowHandle<Integer> handle = dormouse.start("sleeper", "s", Integer.class, "");
            assertThat(sim.result(handle)).isEqualTo(3);
            assertThat(sim.log()).containsExactly("0 at 3600", "1 at 14400", "2 at 21600");
        });
    }

    @Test
    void sleepsOfEveryLengthAreNeverEarlyAndNotLate() {
        Duration[] sleeps = Stream.of(1L, 999L, 4_999L, 5_000L, 5_001L, 9_999L, 15_000L, 61_000L, 3_600_000L)
                .map(Duration::ofMillis)
                .toArray(Duration[]::new);
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> sleeper(sim, node, sleeps));
            WorkflowHandle<Integer> handle = dormouse.start("sleeper", "s", Integer.class, "");
            Instant before = sim.now();
            assertThat(sim.result(handle)).isEqualTo(sleeps.length);
            Duration least = Stream.of(sleeps).reduce(Duration.ZERO, Duration::plus);
            // the clocks of simulated nodes are off by up to one percent
            assertThat(Duration.between(before, sim.now()))
                    .isBetween(least, least.plusMillis(least.toMillis() / 50 + 100L * sleeps.length));
        });
    }

    @Test
    void sleeperIsWokenByAnotherNodeWhenItsOwnerDies() {
        simulate(sim -> {
            Dormouse owner = sim.open(node -> sleeper(sim, node, HOUR, HOUR, HOUR));
            Dormouse other = sim.open(node -> sleeper(sim, node, HOUR, HOUR, HOUR));
            owner.start("sleeper", "s", Integer.class, "");
            sim.advance(HOUR.dividedBy(2));
            sim.kill(owner);
            WorkflowHandle<Integer> handle = other.find("s", Integer.class).orElseThrow();
            assertThat(sim.result(handle)).isEqualTo(3);
            assertThat(sim.log()).containsExactly("0 at 3600", "1 at 7200", "2 at 10800");
        });
    }

    @Test
    void sleeperWhoseDeadlinePassedWhileEverythingWasDownContinuesAtOnce() {
        simulate(sim -> {
            Dormouse owner = sim.open(node -> sleeper(sim, node, HOUR, Duration.ofSeconds(3)));
            owner.start("sleeper", "s", Integer.class, "");
            sim.advance(HOUR.dividedBy(2));
            sim.kill(owner);
            sim.advance(Duration.ofDays(20));
            Duration booted = sim.elapsed();
            Dormouse other = sim.open(node -> sleeper(sim, node, HOUR, Duration.ofSeconds(3)));
            sim.result(other.find("s", Integer.class).orElseThrow());
            assertThat(sim.elapsed().minus(booted)).isLessThan(Duration.ofSeconds(5));
        });
    }

    @Test
    void zeroNegativeAndPastSleepsReturnAtOnceAndReplayAsWell() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(builder -> builder.workflow("w", String.class, String.class, (ctx, input) -> {
                Instant before = ctx.now();
                for (int i = 0; i < 2; i++) {
                    ctx.sleep(Duration.ZERO);
                    ctx.sleep(Duration.ofNanos(-1));
                    ctx.sleep(Duration.ofDays(-1_000_000));
                    ctx.sleep(Duration.ofSeconds(Long.MIN_VALUE));
                    ctx.sleepUntil(ctx.now());
                    ctx.sleepUntil(ctx.now().minusNanos(1));
                    ctx.sleepUntil(Instant.EPOCH);
                    ctx.sleepUntil(Instant.MIN);
                    assertThat(ctx.now()).isBefore(before.plusSeconds(1));
                    ctx.step("step " + i, () -> sim.log("step"));
                }
                ctx.sleep(HOUR);
                ctx.sleep(Duration.ZERO);
                return "done";
            }));
            assertThat(sim.result(dormouse.start("w", "w", String.class, ""))).isEqualTo("done");
            assertThat(sim.count("step")).isEqualTo(2);
        });
    }

    @Test
    void yearNineThousandNineHundredNinetyNineIsWaitedForAndReached() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(builder -> SimulatedDormouse.echo(builder)
                    .workflow("w", String.class, String.class, (ctx, input) -> {
                        ctx.sleepUntil(YEAR_9999);
                        return ctx.now().toString();
                    }));
            WorkflowHandle<String> handle = dormouse.start("w", "w", String.class, "");
            sim.awaitStatus(handle, RunStatus.WAITING);
            assertThat(handle.describe().wakeAt()).contains(YEAR_9999);
            assertThat(handle.describe().wakeReason()).isEqualTo(WakeReason.TIMER);
            sim.advance(Duration.ofDays(1));
            assertThat(handle.describe().status()).isEqualTo(RunStatus.WAITING);
            sim.stepClock(Duration.between(sim.now(), YEAR_9999).minusSeconds(30));
            sim.advance(Duration.ofSeconds(25));
            assertThat(handle.describe().status()).isEqualTo(RunStatus.WAITING);
            assertThat(Instant.parse(sim.result(handle))).isAfterOrEqualTo(YEAR_9999);
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void instantsBeyondTheStoresRangeAreRefusedAndTheRunContinues() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(builder -> builder.workflow("w", String.class, String.class, (ctx, input) -> {
                List<Runnable> tooFar = List.of(
                        () -> ctx.sleepUntil(Instant.MAX),
                        () -> ctx.sleep(Duration.ofSeconds(Long.MAX_VALUE)),
                        () -> ctx.sleep(Duration.ofDays(200_000_000)));
                for (Runnable sleep : tooFar) {
                    try {
                        sleep.run();
                        sim.log("slept");
                    } catch (DormouseException expected) {
                        assertClear(expected, ErrorCode.INSTANT_OUT_OF_RANGE);
                    }
                }
                ctx.sleep(HOUR);
                return ctx.step("s", String.class, () -> "done");
            }));
            assertThat(sim.result(dormouse.start("w", "w", String.class, ""))).isEqualTo("done");
            assertThat(sim.log()).isEmpty();
        });
    }

    @Test
    void uncaughtInstantBeyondTheRangeFailsItsRunOnly() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(builder -> SimulatedDormouse.echo(builder)
                    .workflow("w", String.class, String.class, (ctx, input) -> {
                        ctx.sleep(HOUR);
                        ctx.sleepUntil(Instant.MAX);
                        return "";
                    }));
            WorkflowException failed = sim.failure(dormouse.start("w", "w", String.class, ""));
            assertThat(failed.code()).isEqualTo(ErrorCode.RUN_FAILED);
            assertClear(failed.getMessage(), ErrorCode.INSTANT_OUT_OF_RANGE);
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void sleepToAFractionOfAMicrosecondIsNotEarly() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(builder -> builder.workflow("w", String.class, Boolean.class, (ctx, input) -> {
                Instant deadline = ctx.now().plusSeconds(60).plusNanos(1);
                ctx.sleepUntil(deadline);
                return !ctx.now().isBefore(deadline);
            }));
            assertThat(sim.result(dormouse.start("w", "w", Boolean.class, ""))).isTrue();
        });
    }

    @Test
    void historyShowsEachSleepWithItsDeadline() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> sleeper(sim, node, HOUR, Duration.ofSeconds(1)));
            WorkflowHandle<Integer> handle = dormouse.start("sleeper", "s", Integer.class, "");
            sim.result(handle);
            List<HistoryEvent> history = handle.history();
            assertThat(history)
                    .extracting(HistoryEvent::kind)
                    .containsExactly(
                            "RunStarted",
                            "TimerScheduled",
                            "TimerFired",
                            "StepCompleted",
                            "TimerScheduled",
                            "TimerFired",
                            "StepCompleted",
                            "RunCompleted");
            assertThat(history).extracting(HistoryEvent::seq).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
            assertThat(history).extracting(HistoryEvent::at).isSorted();
            assertThat(Duration.between(history.get(1).at(), history.get(2).at()))
                    .isGreaterThanOrEqualTo(HOUR);
        });
    }
}
