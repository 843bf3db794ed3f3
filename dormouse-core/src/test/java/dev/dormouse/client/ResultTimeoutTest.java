package dev.dormouse.client;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.support.Scenario;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Timeouts of callers that wait for a result: the error names what the run waits for. */
class ResultTimeoutTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static String timeout(WorkflowHandle<?> handle) {
        Throwable late = catchThrowable(() -> handle.result(MINUTE));
        assertClear(late, ErrorCode.RESULT_TIMEOUT);
        return late.getMessage();
    }

    @Test
    void namesTheFailingStepItsLastFailureAndItsNextAttempt() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.step("charge", ActivityOptions.DEFAULT, () -> {
                    throw new IllegalStateException("card refused");
                });
                return "done";
            });
            assertThat(timeout(Scenario.start(dormouse)))
                    .contains("step 'charge'", "in attempt 6", "IllegalStateException: card refused")
                    .containsPattern("The next attempt begins at 20\\d\\d-\\S+Z\\.")
                    .doesNotContain("Wait longer");
        });
    }

    @Test
    void namesWhatTheRunWaitsFor() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.waitForSignal("approved", Duration.ofHours(1));
                return "done";
            });
            assertThat(timeout(Scenario.start(dormouse)))
                    .contains("it waits for a signal 'approved' until ")
                    .contains("The run is not affected.");
        });
    }

    @Test
    void namesTheTypeThatNoNodeExecutes() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.anyRemoteWorkflow());
            assertThat(timeout(dormouse.start("misspelled", "m", String.class, "x")))
                    .contains("but it is not executed. No living node executes workflow type 'misspelled'")
                    .endsWith("or check the spelling.");
        });
    }

    @Test
    void namesTheFailingStepOfTheRunThatItContinuedAs() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                if (input.isEmpty()) {
                    ctx.continueAsNew("again");
                }
                ctx.step("charge", ActivityOptions.DEFAULT, () -> {
                    throw new IllegalStateException("card refused");
                });
                return "done";
            });
            assertThat(timeout(Scenario.start(dormouse))).contains("step 'charge'", "card refused");
        });
    }

    @Test
    void callerWithoutTheCodeSeesTheFailingStep() {
        simulate(sim -> {
            Dormouse worker = Scenario.open(sim, (ctx, input) -> {
                ctx.step("charge", ActivityOptions.DEFAULT, () -> {
                    throw new IllegalStateException("card refused");
                });
                return "done";
            });
            Scenario.start(worker);
            Dormouse other = sim.open(node -> node);
            assertThat(timeout(other.find("w", String.class).orElseThrow())).contains("step 'charge'", "card refused");
        });
    }
}
