package dev.dormouse.cancel;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Box;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Deadlines far in the future, and deadlines that stores cannot hold. */
class FarDeadlineTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private static Supplier<Box> code(BiFunction<Box.Open, String, String> body) {
        return () -> new Box.Open() {
            @Override
            public String run(String input) {
                return body.apply(this, input);
            }
        };
    }

    private static Dormouse open(SimulatedDormouse sim, Supplier<Box> code) {
        return sim.open(node -> SimulatedDormouse.echo(node).workflow(Box.class, code));
    }

    private static WorkflowHandle<String> start(Dormouse dormouse, String input) {
        Box box = dormouse.workflow(Box.class, "b");
        return dormouse.start(() -> box.run(input));
    }

    @Test
    void movingATimerToAnInstantBeyondTheRangeOfStoresIsRefused() {
        for (Instant bad : List.of(Instant.MAX, Instant.MIN)) {
            simulate(sim -> {
                Dormouse dormouse = open(sim, code((box, input) -> {
                    Workflow.newUpdatableTimer("t").await(Workflow.now().plus(HOUR), () -> box.ended);
                    return "fine";
                }));
                WorkflowHandle<String> handle = start(dormouse, "");
                sim.advance(SECOND);
                Throwable problem = catchThrowable(() -> handle.timer("t").reschedule(bad));
                if (problem != null) {
                    assertThat(problem.getMessage()).matches("\\[DM\\d{4}\\] Expected .+, but .+");
                }
                sim.advance(Duration.ofMinutes(1));
                assertThat(handle.describe().trouble()).isEmpty();
            });
        }
    }

    private static boolean awaitFar(Object far, Supplier<Boolean> condition) {
        return far instanceof Instant instant
                ? Workflow.await(instant, condition)
                : Workflow.await((Duration) far, condition);
    }

    @Test
    void farDeadlinesAreWaitedForAndMetBySignals() {
        for (Object far : List.of(Instant.parse("9999-12-31T23:59:59Z"), Duration.ofDays(365 * 5_000))) {
            simulate(sim -> {
                Dormouse dormouse = open(sim, code((box, input) -> "" + awaitFar(far, () -> box.ended)));
                WorkflowHandle<String> handle = start(dormouse, "");
                sim.advance(HOUR);
                handle.signal("end");
                assertThat(sim.result(handle)).isEqualTo("true");
            });
        }
    }

    @Test
    void durationsThatNoStoreCanHoldAreRefused() {
        assertTooFar(() -> Workflow.await(Duration.ofSeconds(Long.MAX_VALUE), () -> false));
        assertTooFar(() -> Workflow.waitForSignal(Duration.ofSeconds(Long.MAX_VALUE)));
        assertTooFar(() -> Workflow.newTimer(Duration.ofSeconds(Long.MAX_VALUE)));
    }

    @Test
    void instantsThatNoStoreCanHoldAreRefused() {
        assertTooFar(() -> Workflow.await(Instant.MAX, () -> false));
        assertTooFar(() -> Workflow.newUpdatableTimer().sleepUntil(Instant.MAX));
    }

    private static void assertTooFar(Runnable call) {
        simulate(sim -> {
            Dormouse dormouse = open(sim, code((box, input) -> {
                call.run();
                return "";
            }));
            WorkflowHandle<String> handle = start(dormouse, "");
            sim.advance(HOUR);
            assertThat(handle.describe().status()).isEqualTo(RunStatus.FAILED);
            assertClear(sim.failure(handle).getMessage(), ErrorCode.INSTANT_OUT_OF_RANGE);
            sim.assertStillWorks(dormouse);
        });
    }
}
