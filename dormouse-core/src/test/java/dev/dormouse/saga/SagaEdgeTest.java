package dev.dormouse.saga;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.Saga;
import dev.dormouse.SagaOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.UndoableActivities;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Edge cases of sagas: options, misuse, cancels and large failures. */
class SagaEdgeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void outsideOfWorkflowCodeThereAreNoSagas() {
        assertClear(catchThrowable(Saga::new), ErrorCode.OUTSIDE_WORKFLOW);
        assertClear(catchThrowable(() -> new Saga(SagaOptions.DEFAULT)), ErrorCode.OUTSIDE_WORKFLOW);
        Scenario.returns(
                "",
                sim -> (ctx, input) -> ctx.step(
                        "s",
                        String.class,
                        () -> new Scenario.BadCalls()
                                .add("new in a step", Saga::new)
                                .unclear()));
    }

    @Test
    void sagaOfARunIsOfNoUseToStepsConditionsAndOtherRuns() {
        simulate(sim -> {
            List<Saga> sagas = new ArrayList<>();
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                Saga saga = sagas.isEmpty() ? new Saga() : sagas.get(0);
                sagas.add(saga);
                Scenario.BadCalls calls = new Scenario.BadCalls()
                        .add(
                                "compensate as a condition",
                                () -> ctx.await(() -> {
                                    saga.compensate();
                                    return true;
                                }));
                if (sagas.size() > 1) {
                    calls.add("add in another run", () -> saga.addCompensation(() -> {}))
                            .add("compensate in another run", saga::compensate);
                }
                return calls.unclear()
                        + ctx.step(
                                "s",
                                String.class,
                                () -> new Scenario.BadCalls()
                                        .add("add in a step", () -> saga.addCompensation(() -> {}))
                                        .add("compensate in a step", saga::compensate)
                                        .unclear());
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEmpty();
            assertThat(sim.result(dormouse.start("w", "other", String.class, "")))
                    .isEmpty();
            assertClear(catchThrowable(sagas.get(0)::compensate), ErrorCode.OUTSIDE_WORKFLOW);
        });
    }

    @Test
    void nullIsRefusedWhereItIsPassed() {
        Scenario.returns("", sim -> (ctx, input) -> {
            Saga saga = new Saga();
            return new Scenario.BadCalls()
                    .add("options", () -> new Saga(null))
                    .add(
                            "both",
                            () -> SagaOptions.DEFAULT.withParallelCompensation().withStopAtFailure())
                    .add("compensation", () -> saga.addCompensation(null))
                    .add("named compensation", () -> saga.addCompensation("x", null))
                    .add("name", () -> saga.addCompensation(null, () -> {}))
                    .add("problem", () -> saga.compensateAfter(null))
                    .unclear();
        });
    }

    @Test
    void emptySagaCompensates() {
        Scenario.returns("ok", sim -> (ctx, input) -> {
            new Saga().compensate();
            new Saga(SagaOptions.DEFAULT.withParallelCompensation()).compensate();
            new Saga(SagaOptions.DEFAULT.withStopAtFailure()).compensate();
            return "ok";
        });
    }

    @Test
    void compensateWithinACompensationDoesNothing() {
        for (SagaOptions options : List.of(SagaOptions.DEFAULT, SagaOptions.DEFAULT.withParallelCompensation())) {
            Scenario.returns("321", sim -> (ctx, input) -> {
                StringBuilder text = new StringBuilder();
                Saga saga = new Saga(options);
                for (int i = 1; i <= 3; i++) {
                    int number = i;
                    saga.addCompensation(() -> {
                        saga.compensate();
                        ctx.sleep(SECOND);
                        text.append(number);
                    });
                }
                saga.compensate();
                return text.toString();
            });
        }
    }

    @Test
    void compensationsAddedWhileOthersRunAreRunToo() {
        for (SagaOptions options : List.of(SagaOptions.DEFAULT, SagaOptions.DEFAULT.withParallelCompensation())) {
            Scenario.returns("first second third later", sim -> (ctx, input) -> {
                StringBuilder text = new StringBuilder();
                Saga saga = new Saga(options);
                saga.addCompensation(() -> {
                    text.append("first ");
                    ctx.sleep(SECOND);
                    saga.addCompensation(() -> {
                        text.append("second ");
                        saga.addCompensation(() -> text.append("third "));
                    });
                });
                saga.compensate();
                saga.addCompensation(() -> text.append("later"));
                saga.compensate();
                return text.toString();
            });
        }
    }

    @Test
    void hundredsOfCompensationsAreFew() {
        for (SagaOptions options : List.of(SagaOptions.DEFAULT, SagaOptions.DEFAULT.withParallelCompensation())) {
            Scenario.returns("300", sim -> (ctx, input) -> {
                int[] sum = {0};
                Saga saga = new Saga(options);
                for (int i = 0; i < 300; i++) {
                    saga.addCompensation(() -> {
                        int one = ctx.step("one", Integer.class, () -> 1);
                        sum[0] += one; // not in one line: others add while this one waits
                    });
                }
                saga.compensate();
                return "" + sum[0];
            });
        }
    }

    @Test
    void hundredsOfFailuresMakeAShortMessage() {
        Scenario.returns("300 true", sim -> (ctx, input) -> {
            Saga saga = new Saga();
            for (int i = 0; i < 300; i++) {
                saga.addCompensation(() -> {
                    throw new UndoableActivities.Refused("x".repeat(1_000));
                });
            }
            Throwable failed = catchThrowable(saga::compensate);
            return failed.getSuppressed().length + " "
                    + (failed.getMessage().length() < 3_000
                            && failed.getMessage().contains("and 295 more"));
        });
    }

    @Test
    void runIsNotClosedWhileACoroutineUndoes() {
        for (boolean fails : List.of(true, false)) {
            simulate(sim -> {
                Dormouse dormouse = UndoableActivities.open(sim, ctx -> {
                    ctx.async(() -> {
                        Saga saga = new Saga();
                        saga.addCompensation(() -> UndoableActivities.stub().undo("1"));
                        saga.addCompensation(() -> ctx.sleep(Duration.ofMinutes(1)));
                        saga.compensate();
                        return "";
                    });
                    ctx.sleep(SECOND);
                    UndoableActivities.failIfBad(fails ? "bad" : "");
                });
                WorkflowHandle<String> handle = Scenario.start(dormouse);
                sim.advance(Duration.ofSeconds(30));
                assertThat(handle.describe().status().isClosed()).isFalse();
                sim.await("the end", () -> handle.describe().status().isClosed());
                assertThat(handle.describe().status()).isEqualTo(fails ? RunStatus.FAILED : RunStatus.COMPLETED);
                assertThat(sim.log()).containsExactly("undo 1");
            });
        }
    }

    @Test
    void terminationEndsTheUndoing() {
        simulate(sim -> {
            Dormouse dormouse = UndoableActivities.open(sim, ctx -> {
                Saga saga = new Saga();
                saga.addCompensation(() -> UndoableActivities.stub().undo("1"));
                saga.addCompensation(() -> ctx.sleep(Duration.ofMinutes(1)));
                saga.compensate();
            });
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(SECOND);
            handle.terminate("enough");
            assertClear(sim.failure(handle), ErrorCode.RUN_TERMINATED);
            sim.advance(Duration.ofHours(1));
            assertThat(sim.log()).isEmpty();
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void continuingAsNewWithinACompensationIsNotAFailureOfIt() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                if (input.equals("again")) {
                    return "new";
                }
                Saga saga = new Saga();
                saga.addCompensation(() -> ctx.step("left out", () -> sim.log("left out")));
                saga.addCompensation(() -> ctx.continueAsNew("again"));
                saga.compensate();
                return "old";
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("new");
            assertThat(sim.log()).isEmpty();
        });
    }
}
