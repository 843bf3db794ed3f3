package dev.dormouse.timer;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.support.Scenario;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Waits until instants that stores cannot hold. */
class FarInstantTest {

    private static void refused(WorkflowFunction<String, Object> wait) {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                Throwable problem = catchThrowable(() -> wait.run(ctx, input));
                ctx.sleep(Duration.ofSeconds(1));
                assertClear(problem, ErrorCode.INSTANT_OUT_OF_RANGE);
                return "refused";
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("refused");
        });
    }

    @Test
    void awaitOfInstantMaxIsRefused() {
        refused((ctx, input) -> ctx.await(Instant.MAX, () -> false));
    }

    @Test
    void updatableTimerUntilInstantMaxIsRefused() {
        refused((ctx, input) -> {
            ctx.newUpdatableTimer().sleepUntil(Instant.MAX);
            return "";
        });
    }

    @Test
    void hugeDurationsAreRefused() {
        Duration huge = Duration.ofSeconds(Long.MAX_VALUE);
        refused((ctx, input) -> ctx.await(huge, () -> false));
        refused((ctx, input) -> ctx.waitForSignal(huge));
        refused((ctx, input) -> ctx.newTimer(huge));
        refused((ctx, input) -> ctx.newTimer(Duration.ofSeconds(1)).get(huge));
        refused((ctx, input) -> ctx.newTimer(Duration.ofSeconds(1)).await(huge));
    }

    @Test
    void awaitUntilInstantMaxWhoseConditionHoldsReturns() {
        Scenario.returns("true", sim -> (ctx, input) -> String.valueOf(ctx.await(Instant.MAX, () -> true)));
    }

    @Test
    void updatableTimerThatIsGivenNullIsRefusedAndDoesNotSleepForEver() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                assertThat(catchThrowable(() -> ctx.newUpdatableTimer().sleepUntil(null)))
                        .isNotNull();
                return "refused";
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("refused");
        });
    }
}
