package dev.dormouse.cancel;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.WorkflowException;
import dev.dormouse.inspect.HistoryEvent;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Execution timeouts. */
class ExecutionTimeoutTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private static StartOptions within(Duration timeout) {
        return StartOptions.DEFAULT.withExecutionTimeout(timeout);
    }

    private static DormouseBuilder sleepy(SimulatedDormouse sim, DormouseBuilder builder, Duration sleep) {
        return builder.workflow("sleepy", String.class, String.class, (ctx, input) -> {
            ctx.step("before", () -> sim.log("before"));
            ctx.sleep(sleep);
            ctx.step("after", () -> sim.log("after"));
            return "done";
        });
    }

    @Test
    void sleepInARunWithATimeoutWaitsForItsOwnTimer() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> sleepy(sim, node, HOUR));
            WorkflowHandle<String> handle =
                    dormouse.start("sleepy", "s", within(HOUR.multipliedBy(2)), String.class, "");
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(sim.elapsed()).isBetween(HOUR, HOUR.plus(MINUTE));
            assertThat(handle.history()).extracting(HistoryEvent::kind).contains("TimerFired");
            sim.advance(HOUR.multipliedBy(3));
            assertThat(handle.describe().status()).isEqualTo(RunStatus.COMPLETED);
        });
    }

    @Test
    void timeoutEndsASleepingRunOnTime() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> sleepy(sim, node, HOUR));
            Instant before = sim.now();
            WorkflowHandle<String> handle = dormouse.start("sleepy", "s", within(MINUTE), String.class, "");
            WorkflowException failed = sim.failure(handle);
            assertClear(failed, ErrorCode.RUN_TIMED_OUT);
            assertThat(Duration.between(before, sim.now())).isBetween(MINUTE, MINUTE.plusSeconds(3));
            assertThat(handle.describe().status()).isEqualTo(RunStatus.TIMED_OUT);
            assertThat(handle.describe().closedAt().orElseThrow()).isAfterOrEqualTo(before.plus(MINUTE));
            sim.advance(HOUR.multipliedBy(2));
            assertThat(sim.log()).containsExactly("before");
        });
    }

    @Test
    void timeoutEndsARunThatIsParkedForAShortSleep() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(builder -> builder.workflow("naps", String.class, String.class, (ctx, in) -> {
                while (true) {
                    ctx.sleep(Duration.ofSeconds(4));
                    ctx.step("nap", () -> sim.log("nap"));
                }
            }));
            WorkflowHandle<String> handle =
                    dormouse.start("naps", "s", within(Duration.ofSeconds(10)), String.class, "");
            assertClear(sim.failure(handle), ErrorCode.RUN_TIMED_OUT);
            assertThat(sim.elapsed()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(12));
            sim.advance(HOUR);
            assertThat(sim.count("nap")).isEqualTo(2);
        });
    }

    @Test
    void timeoutEndsARunThatIsInAStepAndDropsTheResultOfTheStep() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(builder -> builder.workflow("slow", String.class, String.class, (ctx, in) -> {
                ctx.step("slow", () -> {
                    sim.log("slow began");
                    sim.advance(HOUR);
                    sim.log("slow ended");
                });
                ctx.step("next", () -> sim.log("next"));
                return "done";
            }));
            WorkflowHandle<String> handle = dormouse.start("slow", "s", within(MINUTE), String.class, "");
            assertClear(sim.failure(handle), ErrorCode.RUN_TIMED_OUT);
            assertThat(sim.elapsed()).isBetween(MINUTE, MINUTE.plusSeconds(3));
            sim.advance(HOUR.multipliedBy(2));
            assertThat(sim.log()).doesNotContain("next");
            assertThat(sim.count("slow began")).isEqualTo(1);
            assertThat(handle.history()).extracting(HistoryEvent::kind).containsExactly("RunStarted", "RunTimedOut");
        });
    }

    @Test
    void timeoutEndsARunWhoseCodeSwallowsEverything() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(builder -> builder.workflow("deaf", String.class, String.class, (ctx, in) -> {
                for (int i = 0; i < 100; i++) {
                    try {
                        ctx.sleep(Duration.ofSeconds(3));
                        ctx.step("step", () -> sim.log("step"));
                    } catch (Throwable swallowed) {
                        sim.log("swallowed");
                    }
                }
                return "done";
            }));
            WorkflowHandle<String> handle =
                    dormouse.start("deaf", "s", within(Duration.ofSeconds(10)), String.class, "");
            assertClear(sim.failure(handle), ErrorCode.RUN_TIMED_OUT);
            sim.advance(HOUR);
            assertThat(sim.count("step")).isEqualTo(3);
            assertThat(handle.describe().status()).isEqualTo(RunStatus.TIMED_OUT);
        });
    }

    @Test
    void timeoutPassesWhileEverythingIsDownAndEndsTheRunAtTheNextBoot() {
        simulate(sim -> {
            Dormouse first = sim.open(node -> sleepy(sim, node, HOUR));
            first.start("sleepy", "s", within(MINUTE), String.class, "");
            sim.advance(Duration.ofSeconds(30));
            sim.kill(first);
            sim.advance(HOUR.multipliedBy(5));
            Dormouse second = sim.open(node -> sleepy(sim, node, HOUR));
            assertClear(sim.failure(second.find("s", String.class).orElseThrow()), ErrorCode.RUN_TIMED_OUT);
            assertThat(sim.log()).containsExactly("before");
        });
    }

    @Test
    void timeoutCountsFromWhenTheRunMayBegin() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> sleepy(sim, node, HOUR));
            StartOptions options = within(MINUTE).withStartDelay(HOUR);
            Instant before = sim.now();
            WorkflowHandle<String> handle = dormouse.start("sleepy", "s", options, String.class, "");
            assertClear(sim.failure(handle), ErrorCode.RUN_TIMED_OUT);
            assertThat(Duration.between(before, sim.now()))
                    .isBetween(HOUR.plus(MINUTE), HOUR.plus(MINUTE).plusSeconds(5));
            assertThat(sim.log()).containsExactly("before");
        });
    }

    @Test
    void timeoutOfZeroOrLessEndsTheRunAtOnce() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> sleepy(sim, node, HOUR));
            for (Duration timeout :
                    new Duration[] {Duration.ZERO, Duration.ofSeconds(-5), Duration.ofSeconds(Long.MIN_VALUE)}) {
                WorkflowHandle<String> handle =
                        dormouse.start("sleepy", "s" + timeout, within(timeout), String.class, "");
                assertClear(sim.failure(handle), ErrorCode.RUN_TIMED_OUT);
            }
            assertThat(sim.elapsed()).isLessThan(Duration.ofSeconds(5));
        });
    }

    @Test
    void timeoutInTheYearNineThousandNineHundredNinetyNineWorksAndOneBeyondTheRangeIsRefused() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> sleepy(sim, node, MINUTE));
            Duration far = Duration.between(sim.now(), Instant.parse("9999-12-31T00:00:00Z"));
            assertThat(sim.result(dormouse.start("sleepy", "far", within(far), String.class, "")))
                    .isEqualTo("done");
            Throwable problem = catchThrowable(() ->
                    dormouse.start("sleepy", "too far", within(Duration.ofSeconds(Long.MAX_VALUE)), String.class, ""));
            assertClear(problem, ErrorCode.INSTANT_OUT_OF_RANGE);
            assertThat(dormouse.find("too far", String.class)).isEmpty();
        });
    }

    @Test
    void deadlineIsVisibleToTheCode() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(builder -> builder.workflow(
                    "w",
                    String.class,
                    String.class,
                    (ctx, in) -> ctx.info().deadline().orElseThrow() + " "
                            + ctx.info().startedAt()));
            String[] told = sim.result(dormouse.start("w", "w", within(HOUR), String.class, ""))
                    .split(" ", 2);
            assertThat(Duration.between(Instant.parse(told[1]), Instant.parse(told[0])))
                    .isBetween(HOUR, HOUR.plusSeconds(1));
        });
    }

    @Test
    void timeoutEndsARunThatIsStuck() {
        simulate(sim -> {
            Dormouse old = sim.open(node -> sleepy(sim, node, MINUTE).buildId("old"));
            Instant before = sim.now();
            old.start("sleepy", "s", within(HOUR), String.class, "");
            sim.await("the run to sleep", () -> sim.count("before") == 1);
            old.close();
            Dormouse changed =
                    sim.open(node -> node.buildId("new").workflow("sleepy", String.class, String.class, (ctx, in) -> {
                        ctx.step("other", () -> sim.log("other"));
                        return "other";
                    }));
            WorkflowHandle<String> handle = changed.find("s", String.class).orElseThrow();
            sim.awaitStatus(handle, RunStatus.STUCK);
            assertClear(sim.failure(handle), ErrorCode.RUN_TIMED_OUT);
            // once no other build has asked for it for three sweeps
            assertThat(Duration.between(before, sim.now())).isBetween(HOUR, HOUR.plusSeconds(60));
            assertThat(sim.log()).containsExactly("before");
        });
    }
}
