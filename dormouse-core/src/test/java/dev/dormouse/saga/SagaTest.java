package dev.dormouse.saga;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.Saga;
import dev.dormouse.SagaOptions;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.CompensationFailedException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.WorkflowFailedException;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.UndoableActivities;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Workflows that undo their activities after a failure. */
class SagaTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    /** Executes activities and adds their compensations; undoes all of them if one fails. */
    private static void doAll(Saga saga, String... activities) {
        UndoableActivities stub = UndoableActivities.stub();
        try {
            for (String activity : activities) {
                stub.act(activity);
                saga.addCompensation(() -> stub.undo(activity));
            }
        } catch (RuntimeException problem) {
            throw saga.compensateAfter(problem);
        }
    }

    @Test
    void sagaWhoseFourthStepFailsUndoesTheThreeBeforeFromTheLastToTheFirst() {
        UndoableActivities.fails(
                List.of("act 1", "act 2", "act 3", "undo 3", "undo 2", "undo 1"),
                Duration.ofSeconds(9),
                ctx -> doAll(new Saga(), "1", "2", "3", "bad 4", "5"));
    }

    @Test
    void sagaThatSucceedsUndoesNothing() {
        simulate(sim -> {
            Dormouse dormouse = UndoableActivities.open(sim, ctx -> doAll(new Saga(), "1", "2", "3"));
            assertThat(sim.result(Scenario.start(dormouse))).isEmpty();
            assertThat(sim.log()).containsExactly("act 1", "act 2", "act 3");
        });
    }

    @Test
    void compensationsThatSleepAreGoneOnWithWhereTheyWere() {
        UndoableActivities.fails(List.of("act 1", "act 2", "undo 2", "undo 1"), Duration.ofSeconds(30), ctx -> {
            Saga saga = new Saga();
            for (String activity : List.of("1", "2")) {
                UndoableActivities.stub().act(activity);
                saga.addCompensation(() -> {
                    ctx.sleep(Duration.ofSeconds(10));
                    UndoableActivities.stub().undo(activity);
                });
            }
            throw saga.compensateAfter(new UndoableActivities.Refused("way"));
        });
    }

    @Test
    void longSleepInACompensationIsARowAndThenTheRestIsUndone() {
        simulate(sim -> {
            Dormouse one = UndoableActivities.open(sim, ctx -> {
                Saga saga = new Saga();
                saga.addCompensation(() -> UndoableActivities.stub().undo("1"));
                saga.addCompensation(() -> ctx.sleep(HOUR.multipliedBy(24)));
                saga.compensate();
            });
            WorkflowHandle<String> handle = Scenario.start(one);
            sim.advance(HOUR);
            assertThat(sim.threads("run ")).isZero();
            sim.result(handle);
            assertThat(sim.elapsed()).isBetween(HOUR.multipliedBy(24), HOUR.multipliedBy(25));
            assertThat(sim.log()).containsExactly("undo 1");
        });
    }

    @Test
    void compensationsInParallelTakeTheTimeOfOne() {
        simulate(sim -> {
            Dormouse dormouse = UndoableActivities.open(
                    sim, ctx -> doAll(new Saga(SagaOptions.DEFAULT.withParallelCompensation()), "1", "2", "3", "bad"));
            UndoableActivities.assertRefused(sim.failure(Scenario.start(dormouse)));
            assertThat(sim.elapsed()).isLessThan(Duration.ofMillis(5_900));
            assertThat(sim.log().subList(3, 6)).containsExactlyInAnyOrder("undo 1", "undo 2", "undo 3");
        });
    }

    @Test
    void parallelOnesAreAllDoneOnceWhenTheNodeDiesBetweenTheirEnds() {
        simulate(sim -> {
            Dormouse one = UndoableActivities.open(sim, SagaTest::undoOneAfterTheOther);
            Scenario.start(one);
            sim.advance(Duration.ofMillis(10_500)); // some have completed, others sleep
            assertThat(sim.log()).hasSize(5);
            sim.kill(one);
            Dormouse two = UndoableActivities.open(sim, SagaTest::undoOneAfterTheOther);
            sim.result(two.find("w", String.class).orElseThrow());
            assertThat(sim.log()).hasSize(10).doesNotHaveDuplicates();
        });
    }

    private static void undoOneAfterTheOther(WorkflowContext ctx) {
        Saga saga = new Saga(SagaOptions.DEFAULT.withParallelCompensation());
        for (int i = 0; i < 10; i++) {
            int number = i;
            saga.addCompensation(() -> {
                ctx.sleep(SECOND.multipliedBy(2L * number));
                UndoableActivities.stub().undo("" + number);
            });
        }
        saga.compensate();
    }

    private static Saga threeOfWhichTheSecondFails(SagaOptions options) {
        Saga saga = new Saga(options);
        saga.addCompensation(() -> UndoableActivities.stub().undo("1"));
        saga.addCompensation("the second", () -> UndoableActivities.stub().undo("bad"));
        saga.addCompensation(() -> UndoableActivities.stub().undo("3"));
        return saga;
    }

    @Test
    void compensationThatFailsDoesNotKeepTheOthersFromRunning() {
        for (SagaOptions options : List.of(SagaOptions.DEFAULT, SagaOptions.DEFAULT.withParallelCompensation())) {
            simulate(sim -> {
                Dormouse dormouse = UndoableActivities.open(sim, ctx -> {
                    Saga saga = threeOfWhichTheSecondFails(options);
                    saga.addCompensation(() -> {
                        throw new IllegalStateException("x".repeat(9_999));
                    });
                    CompensationFailedException failed =
                            catchThrowableOfType(CompensationFailedException.class, saga::compensate);
                    assertClear(failed, ErrorCode.COMPENSATION_FAILED);
                    assertThat(failed.getMessage())
                            .contains("of 4 that ran 2 failed", "the second with ", "no bad", "number 4 with ")
                            .hasSizeLessThan(1_000);
                    assertThat(failed.getSuppressed())
                            .hasExactlyElementsOfTypes(IllegalStateException.class, ActivityFailedException.class);
                    saga.compensate();
                });
                assertThat(sim.result(Scenario.start(dormouse))).isEmpty();
                assertThat(sim.log()).containsExactlyInAnyOrder("undo 3", "undo 1");
            });
        }
    }

    @Test
    void sagaThatStopsAtAFailureLeavesTheRestToASecondCall() {
        simulate(sim -> {
            Dormouse dormouse = UndoableActivities.open(sim, ctx -> {
                Saga saga = threeOfWhichTheSecondFails(SagaOptions.DEFAULT.withStopAtFailure());
                CompensationFailedException failed =
                        catchThrowableOfType(CompensationFailedException.class, saga::compensate);
                assertThat(failed.getMessage()).contains("of 2 that ran 1 failed");
                ctx.step("look", () -> sim.log("stopped"));
                saga.compensate();
                saga.compensate();
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEmpty();
            assertThat(sim.log()).containsExactly("undo 3", "stopped", "undo 1");
        });
    }

    @Test
    void failedCompensationsDoNotHideTheFailureThatLedToThem() {
        simulate(sim -> {
            Dormouse dormouse = UndoableActivities.open(sim, ctx -> {
                throw threeOfWhichTheSecondFails(SagaOptions.DEFAULT)
                        .compensateAfter(new UndoableActivities.Refused("way"));
            });
            WorkflowFailedException failure = (WorkflowFailedException) sim.failure(Scenario.start(dormouse));
            assertThat(failure).hasMessageContaining("no way");
            assertThat(failure.failure().stackTraceText()).contains("[DM3015]", "the second with ", "no bad");
        });
    }

    @Test
    void cancelledWorkflowUndoesAlthoughItsNodeDiesInIt() {
        for (long kill : List.of(0L, 500L, 1_500L, 2_500L)) {
            simulate(sim -> {
                Dormouse one = UndoableActivities.open(sim, SagaTest::sleepOrUndo);
                WorkflowHandle<String> there = Scenario.start(one);
                sim.advance(Duration.ofMinutes(1));
                there.cancel("not wanted");
                sim.advance(Duration.ofMillis(kill));
                sim.kill(one);
                Dormouse two = UndoableActivities.open(sim, SagaTest::sleepOrUndo);
                assertClear(sim.failure(two.find("w", String.class).orElseThrow()), ErrorCode.RUN_CANCELLED);
                assertThat(sim.log()).containsExactly("act 1", "act 2", "undo 2", "undo 1");
            });
        }
    }

    private static void sleepOrUndo(WorkflowContext ctx) {
        Saga saga = new Saga();
        doAll(saga, "1", "2");
        try {
            ctx.sleep(HOUR);
        } finally {
            saga.compensate();
        }
    }

    @Test
    void sagaWithinACompensationOfAnother() {
        UndoableActivities.fails(
                List.of("act 1", "act 2", "act 2a", "act 2b", "undo 2b", "undo 2a", "undo 1"),
                Duration.ofSeconds(9),
                ctx -> {
                    Saga outer = new Saga();
                    outer.addCompensation(() -> UndoableActivities.stub().undo("1"));
                    outer.addCompensation(() -> doAll(new Saga(), "2a", "2b", "bad 2c"));
                    doAll(new Saga(SagaOptions.DEFAULT), "1", "2"); // another one, which is not asked
                    throw outer.compensateAfter(new UndoableActivities.Refused("way"));
                });
    }

    @Test
    void sagaOfACoroutineUndoesBesideTheWorkflowMethod() {
        UndoableActivities.fails(List.of("act 1", "act 2", "undo 2", "undo 1"), Duration.ofSeconds(7), ctx -> {
            Promise<String> branch = ctx.async(() -> {
                doAll(new Saga(), "1", "2", "bad 3");
                return "";
            });
            branch.get();
        });
    }
}
