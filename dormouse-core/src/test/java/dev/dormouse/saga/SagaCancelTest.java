package dev.dormouse.saga;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Saga;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.CapturedLog;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Warnings about sagas that catch only activity failures, which a cancel is not. */
class SagaCancelTest {
    private static final Duration HOUR = Duration.ofHours(1);

    /** A saga as written for engines in which a cancelled activity fails. */
    private static WorkflowFunction<String, String> catchingFailures(SimulatedDormouse sim) {
        return (ctx, input) -> {
            Saga saga = new Saga();
            try {
                ctx.step("book", () -> sim.log("book"));
                saga.addCompensation(() -> ctx.step("undo", () -> sim.log("undo")));
                ctx.sleep(HOUR);
                ctx.step("pay", () -> {
                    throw new IllegalStateException("no money");
                });
                return "done";
            } catch (ActivityFailedException failed) {
                throw saga.compensateAfter(failed);
            }
        };
    }

    private static WorkflowFunction<String, String> catchingAll(SimulatedDormouse sim) {
        return (ctx, input) -> {
            Saga saga = new Saga();
            try {
                ctx.step("book", () -> sim.log("book"));
                saga.addCompensation(() -> ctx.step("undo", () -> sim.log("undo")));
                ctx.sleep(HOUR);
                return "done";
            } catch (RuntimeException problem) {
                throw saga.compensateAfter(problem);
            }
        };
    }

    private static WorkflowHandle<String> cancelled(SimulatedDormouse sim, WorkflowFunction<String, String> code) {
        WorkflowHandle<String> handle = Scenario.start(Scenario.open(sim, code));
        sim.advance(Duration.ofMinutes(1));
        handle.cancel("not wanted");
        sim.failure(handle);
        assertThat(handle.describe().status()).isEqualTo(RunStatus.CANCELLED);
        return handle;
    }

    @Test
    void catchOfActivityFailureDoesNotSeeACancelAndTheSagaIsWarnedOf() {
        simulate(sim -> {
            try (CapturedLog logged = new CapturedLog()) {
                WorkflowHandle<String> handle = cancelled(sim, catchingFailures(sim));
                assertThat(sim.log()).containsExactly("book");
                assertThat(logged.messages()).hasSize(1);
                assertThat(logged.messages().get(0))
                        .contains(handle.runId().toString(), "'w'", "1 compensations")
                        .contains("CancelledException is not an ActivityFailedException", "compensateAfter");
            }
        });
    }

    @Test
    void catchOfRuntimeExceptionSeesACancel() {
        simulate(sim -> {
            try (CapturedLog logged = new CapturedLog()) {
                cancelled(sim, catchingAll(sim));
                assertThat(sim.log()).containsExactly("book", "undo");
                assertThat(logged.messages()).isEmpty();
            }
        });
    }

    @Test
    void failedActivityIsCompensatedWithoutAWarningOfTheSaga() {
        simulate(sim -> {
            try (CapturedLog logged = new CapturedLog()) {
                sim.failure(Scenario.start(Scenario.open(sim, catchingFailures(sim))));
                assertThat(sim.log()).containsExactly("book", "undo");
                assertThat(logged.about("compensations of its Saga")).isEmpty();
            }
        });
    }
}
