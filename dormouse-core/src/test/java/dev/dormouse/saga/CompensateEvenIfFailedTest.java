package dev.dormouse.saga;

import static dev.dormouse.support.SimulatedDormouse.ONCE;
import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Activity;
import dev.dormouse.ActivityOptions;
import dev.dormouse.Compensate;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.RetryPolicy;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.support.UndoableActivities;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compensations of calls that failed or were interrupted, and options of their own. */
class CompensateEvenIfFailedTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Fails if {@code what} starts with "bad", after it has had an effect. */
    interface Rooms {
        int reserve(String what);

        @Compensate(forActivity = "reserve", evenIfFailed = true)
        void release(String what, @Nullable Integer number);

        String clean(String what);

        @Compensate(forActivity = "clean", evenIfFailed = true)
        void leave(String what);
    }

    private static class Hotel implements Rooms {
        private final SimulatedDormouse sim;

        Hotel(SimulatedDormouse sim) {
            this.sim = sim;
        }

        @Override
        public int reserve(String what) {
            work("reserve " + what);
            UndoableActivities.failIfBad(what);
            return 7;
        }

        @Override
        public void release(String what, @Nullable Integer number) {
            work("release " + what + " " + number);
        }

        @Override
        public String clean(String what) {
            work("clean " + what);
            for (int i = 0; i < 600; i++) {
                sim.advance(SECOND);
                Activity.heartbeat();
            }
            return "clean";
        }

        @Override
        public void leave(String what) {
            work("leave " + what);
        }

        private void work(String line) {
            sim.log(line);
            sim.advance(SECOND);
        }
    }

    private static DormouseBuilder with(DormouseBuilder node, Rooms rooms, Consumer<WorkflowContext> code) {
        return Scenario.with(node, (ctx, input) -> {
                    code.accept(ctx);
                    return "";
                })
                .activities(Rooms.class, rooms);
    }

    private static void reserveTwo(WorkflowContext ctx) {
        Rooms rooms = ctx.activities(Rooms.class);
        rooms.reserve("a");
        rooms.reserve("bad");
    }

    @Test
    void failedCallIsUndoneWithoutAResultWhereverTheNodeDies() {
        for (long kill : List.of(0L, 500L, 1_500L, 2_500L, 3_500L, 60_000L)) {
            simulate(sim -> {
                Dormouse one = sim.open(node -> with(node, new Hotel(sim), CompensateEvenIfFailedTest::reserveTwo));
                Scenario.start(one);
                sim.advance(Duration.ofMillis(kill));
                sim.kill(one);
                Dormouse two = sim.open(node -> with(node, new Hotel(sim), CompensateEvenIfFailedTest::reserveTwo));
                UndoableActivities.assertRefused(
                        sim.failure(two.find("w", String.class).orElseThrow()));
                assertThat(sim.log().stream().distinct())
                        .containsExactly("reserve a", "reserve bad", "release bad null", "release a 7");
            });
        }
    }

    @Test
    void failureThatTheCodeCatchesIsUndoneOnlyIfTheRunFailsLater() {
        for (boolean fails : List.of(true, false)) {
            simulate(sim -> {
                Dormouse dormouse = sim.open(node -> with(node, new Hotel(sim), ctx -> {
                    Throwable problem =
                            catchThrowable(() -> ctx.activities(Rooms.class).reserve("bad"));
                    assertThat(problem).isInstanceOf(ActivityFailedException.class);
                    if (fails) {
                        throw new UndoableActivities.Refused("way");
                    }
                }));
                WorkflowHandle<String> handle = Scenario.start(dormouse);
                sim.await("an end", () -> handle.describe().status().isClosed());
                assertThat(sim.count("release bad null")).isEqualTo(fails ? 1 : 0);
            });
        }
    }

    private static void clean(WorkflowContext ctx) {
        Rooms rooms = ctx.activities(Rooms.class);
        try {
            rooms.clean("a");
        } catch (CancelledException cancelled) {
            rooms.clean("b"); // refused, because the run is cancelled: it never begins
        }
    }

    @Test
    void callThatACancelInterruptsIsUndoneAndACallThatNeverBeganIsNot() {
        for (long kill : List.of(-1L, 0L, 500L, 5_000L)) {
            simulate(sim -> {
                Dormouse one = sim.open(node -> with(node, new Hotel(sim), CompensateEvenIfFailedTest::clean));
                WorkflowHandle<String> handle = Scenario.start(one);
                sim.advance(Duration.ofSeconds(10));
                handle.cancel("not wanted");
                handle.cancel("really not");
                if (kill >= 0) {
                    sim.advance(Duration.ofMillis(kill));
                    sim.kill(one);
                    Dormouse two = sim.open(node -> with(node, new Hotel(sim), CompensateEvenIfFailedTest::clean));
                    handle = two.find("w", String.class).orElseThrow();
                }
                assertClear(sim.failure(handle), ErrorCode.RUN_CANCELLED);
                assertThat(sim.log().stream().distinct()).containsExactly("clean a", "leave a");
            });
        }
    }

    @Test
    void compensationHasOptionsOfItsOwn() {
        simulate(sim -> {
            int[] attempts = {0};
            Rooms moody = new Hotel(sim) {
                @Override
                public void release(String what, @Nullable Integer number) {
                    if (attempts[0]++ < 3) {
                        throw new IllegalStateException("not now");
                    }
                    super.release(what, number);
                }
            };
            ActivityOptions patient = ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withMaxAttempts(4));
            Dormouse dormouse = sim.open(node -> with(
                    node,
                    moody,
                    ctx -> ctx.activities(Rooms.class, ONCE, Map.of("release", patient))
                            .reserve("bad")));
            UndoableActivities.assertRefused(sim.failure(Scenario.start(dormouse)));
            assertThat(sim.log()).containsExactly("reserve bad", "release bad null");
            assertThat(attempts[0]).isEqualTo(4);
        });
    }

    interface PrimitiveResult {
        int act();

        @Compensate(forActivity = "act", evenIfFailed = true)
        void undo(int result);
    }

    @Test
    void parameterForAResultThatCannotBeNullIsRefused() {
        Throwable problem = catchThrowable(() -> Dormouse.builder().remoteActivities(PrimitiveResult.class));
        assertClear(problem, ErrorCode.BAD_ACTIVITY_INTERFACE);
        assertThat(problem.getMessage()).contains("which can be null", "[int]");
    }
}
