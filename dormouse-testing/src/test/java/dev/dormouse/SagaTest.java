package dev.dormouse;

import static dev.dormouse.SimulatedDormouse.assertClear;
import static dev.dormouse.SimulatedDormouse.play;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.dormouse.error.ErrorCode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Workflows that undo what they did. */
class SagaTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    /** Does these, each with its compensation; one that fails has all before it undone. */
    private static void doAll(Saga saga, String... deeds) {
        Deeds stub = Deeds.stub();
        try {
            for (String deed : deeds) {
                stub.act(deed);
                saga.addCompensation(() -> stub.undo(deed));
            }
        } catch (RuntimeException problem) {
            throw saga.compensateAfter(problem);
        }
    }

    @Test
    void sagaWhoseFourthStepFailsUndoesTheThreeBeforeFromTheLastToTheFirst() {
        Deeds.fails(
                List.of("act 1", "act 2", "act 3", "undo 3", "undo 2", "undo 1"),
                Duration.ofSeconds(9),
                ctx -> doAll(new Saga(), "1", "2", "3", "bad 4", "5"));
    }

    @Test
    void sagaThatSucceedsUndoesNothing() {
        play(sim -> {
            Dormouse dormouse = Deeds.open(sim, ctx -> doAll(new Saga(), "1", "2", "3"));
            assertThat(sim.result(Tale.start(dormouse))).isEmpty();
            assertThat(sim.log()).containsExactly("act 1", "act 2", "act 3");
        });
    }

    @Test
    void compensationsThatSleepAreGoneOnWithWhereTheyWere() {
        Deeds.fails(List.of("act 1", "act 2", "undo 2", "undo 1"), Duration.ofSeconds(30), ctx -> {
            Saga saga = new Saga();
            for (String deed : List.of("1", "2")) {
                Deeds.stub().act(deed);
                saga.addCompensation(() -> {
                    ctx.sleep(Duration.ofSeconds(10));
                    Deeds.stub().undo(deed);
                });
            }
            throw saga.compensateAfter(new Deeds.Refused("way"));
        });
    }

    @Test
    void longSleepInACompensationIsARowAndThenTheRestIsUndone() {
        play(sim -> {
            Dormouse one = Deeds.open(sim, ctx -> {
                Saga saga = new Saga();
                saga.addCompensation(() -> Deeds.stub().undo("1"));
                saga.addCompensation(() -> ctx.sleep(HOUR.multipliedBy(24)));
                saga.compensate();
            });
            WorkflowHandle<String> handle = Tale.start(one);
            sim.advance(HOUR);
            assertThat(sim.threads("run ")).isZero();
            sim.result(handle);
            assertThat(sim.elapsed()).isBetween(HOUR.multipliedBy(24), HOUR.multipliedBy(25));
            assertThat(sim.log()).containsExactly("undo 1");
        });
    }

    @Test
    void compensationsInParallelTakeTheTimeOfOne() {
        play(sim -> {
            Dormouse dormouse =
                    Deeds.open(sim, ctx -> doAll(new Saga(SagaOptions.DEFAULT.inParallel()), "1", "2", "3", "bad"));
            Deeds.assertRefused(sim.failure(Tale.start(dormouse)));
            assertThat(sim.elapsed()).isLessThan(Duration.ofMillis(5_900));
            assertThat(sim.log().subList(3, 6)).containsExactlyInAnyOrder("undo 1", "undo 2", "undo 3");
        });
    }

    @Test
    void parallelOnesAreAllDoneOnceWhenTheNodeDiesBetweenTheirEnds() {
        play(sim -> {
            Dormouse one = Deeds.open(sim, SagaTest::undoOneAfterTheOther);
            Tale.start(one);
            sim.advance(Duration.ofMillis(10_500)); // some have completed, others sleep
            assertThat(sim.log()).hasSize(5);
            sim.kill(one);
            Dormouse two = Deeds.open(sim, SagaTest::undoOneAfterTheOther);
            sim.result(two.find("w", String.class).orElseThrow());
            assertThat(sim.log()).hasSize(10).doesNotHaveDuplicates();
        });
    }

    private static void undoOneAfterTheOther(WorkflowContext ctx) {
        Saga saga = new Saga(SagaOptions.DEFAULT.inParallel());
        for (int i = 0; i < 10; i++) {
            int number = i;
            saga.addCompensation(() -> {
                ctx.sleep(SECOND.multipliedBy(2L * number));
                Deeds.stub().undo("" + number);
            });
        }
        saga.compensate();
    }

    private static Saga threeOfWhichTheSecondFails(SagaOptions options) {
        Saga saga = new Saga(options);
        saga.addCompensation(() -> Deeds.stub().undo("1"));
        saga.addCompensation("the second", () -> Deeds.stub().undo("bad"));
        saga.addCompensation(() -> Deeds.stub().undo("3"));
        return saga;
    }

    @Test
    void compensationThatFailsDoesNotKeepTheOthersFromRunning() {
        for (SagaOptions options : List.of(SagaOptions.DEFAULT, SagaOptions.DEFAULT.inParallel())) {
            play(sim -> {
                Dormouse dormouse = Deeds.open(sim, ctx -> {
                    Saga saga = threeOfWhichTheSecondFails(options);
                    saga.addCompensation(() -> {
                        throw new IllegalStateException("x".repeat(9_999));
                    });
                    CompensationFailed failed = catchThrowableOfType(CompensationFailed.class, saga::compensate);
                    assertClear(failed, ErrorCode.COMPENSATION_FAILED);
                    assertThat(failed.getMessage())
                            .contains("of 4 that ran 2 failed", "the second with ", "no bad", "number 4 with ")
                            .hasSizeLessThan(1_000);
                    assertThat(failed.getSuppressed())
                            .hasExactlyElementsOfTypes(IllegalStateException.class, ActivityFailure.class);
                    saga.compensate();
                });
                assertThat(sim.result(Tale.start(dormouse))).isEmpty();
                assertThat(sim.log()).containsExactlyInAnyOrder("undo 3", "undo 1");
            });
        }
    }

    @Test
    void sagaThatStopsAtAFailureLeavesTheRestToASecondCall() {
        play(sim -> {
            Dormouse dormouse = Deeds.open(sim, ctx -> {
                Saga saga = threeOfWhichTheSecondFails(SagaOptions.DEFAULT.stopAtFailure());
                CompensationFailed failed = catchThrowableOfType(CompensationFailed.class, saga::compensate);
                assertThat(failed.getMessage()).contains("of 2 that ran 1 failed");
                ctx.step("look", () -> sim.log("stopped"));
                saga.compensate();
                saga.compensate();
            });
            assertThat(sim.result(Tale.start(dormouse))).isEmpty();
            assertThat(sim.log()).containsExactly("undo 3", "stopped", "undo 1");
        });
    }

    @Test
    void failedCompensationsDoNotHideTheFailureThatLedToThem() {
        play(sim -> {
            Dormouse dormouse = Deeds.open(sim, ctx -> {
                throw threeOfWhichTheSecondFails(SagaOptions.DEFAULT).compensateAfter(new Deeds.Refused("way"));
            });
            WorkflowFailed failure = (WorkflowFailed) sim.failure(Tale.start(dormouse));
            assertThat(failure).hasMessageContaining("no way");
            assertThat(failure.failure().stackTrace()).contains("[DM3015]", "the second with ", "no bad");
        });
    }

    @Test
    void cancelledWorkflowUndoesAlthoughItsNodeDiesInIt() {
        for (long kill : List.of(0L, 500L, 1_500L, 2_500L)) {
            play(sim -> {
                Dormouse one = Deeds.open(sim, SagaTest::sleepOrUndo);
                WorkflowHandle<String> there = Tale.start(one);
                sim.advance(Duration.ofMinutes(1));
                there.cancel("not wanted");
                sim.advance(Duration.ofMillis(kill));
                sim.kill(one);
                Dormouse two = Deeds.open(sim, SagaTest::sleepOrUndo);
                assertClear(sim.failure(two.find("w", String.class).orElseThrow()), ErrorCode.RUN_CANCELED);
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
        Deeds.fails(
                List.of("act 1", "act 2", "act 2a", "act 2b", "undo 2b", "undo 2a", "undo 1"),
                Duration.ofSeconds(9),
                ctx -> {
                    Saga outer = new Saga();
                    outer.addCompensation(() -> Deeds.stub().undo("1"));
                    outer.addCompensation(() -> doAll(new Saga(), "2a", "2b", "bad 2c"));
                    doAll(new Saga(SagaOptions.DEFAULT), "1", "2"); // another one, which is not asked
                    throw outer.compensateAfter(new Deeds.Refused("way"));
                });
    }

    @Test
    void sagaOfACoroutineUndoesBesideTheWorkflowMethod() {
        Deeds.fails(List.of("act 1", "act 2", "undo 2", "undo 1"), Duration.ofSeconds(7), ctx -> {
            Promise<String> branch = ctx.async(() -> {
                doAll(new Saga(), "1", "2", "bad 3");
                return "";
            });
            branch.get();
        });
    }
}
