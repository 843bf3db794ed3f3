package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.HistoryEvent;
import dev.dormouse.UpdateFailed;
import dev.dormouse.WorkflowFailed;
import dev.dormouse.dag.DagState.StepState;
import dev.dormouse.dag.model.StepStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Steps that sleep: no worker, one alarm. */
class SleepStepTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration DAY = Duration.ofDays(1);

    private static final Dag A_SLEEP_B =
            napping(Dag.workflow("nap").task("a", "log").input("a"), SECOND.multipliedBy(30));

    private static Dag napping(DagBuilder before, Duration nap) {
        return before.sleep("pause", nap)
                .after("a")
                .task("b", "log")
                .input("b")
                .after("pause")
                .build();
    }

    @Test
    void nextStepBeginsExactlyWhenTheSleepIsOver() {
        DagStory.play(A_SLEEP_B, story -> {
            DagRun run = story.start("nap", Map.of());
            assertThat(DagStory.result(run)).isEqualTo(Map.of("b", "b"));
            assertThat(story.log()).containsExactly("0 a", "30000 b");
        });
    }

    @Test
    void sleepGoesOnWhenTheProcessDies() {
        DagStory.play(A_SLEEP_B, story -> {
            story.start("nap", Map.of());
            story.advance(SECOND.multipliedBy(10));
            story.crash();
            story.advance(SECOND.multipliedBy(10));
            story.crash();
            assertThat(DagStory.result(story.find("nap-1"))).isEqualTo(Map.of("b", "b"));
            assertThat(story.log()).containsExactly("0 a", "30000 b");
        });
    }

    @Test
    void historyTellsWhenItSleptAndUntilWhen() {
        DagStory.play(A_SLEEP_B, story -> {
            DagRun run = story.start("nap", Map.of());
            DagStory.result(run);
            List<String> lines = run.handle().history().stream()
                    .filter(event -> event.kind().startsWith("step.sleep"))
                    .map(event -> event.kind() + ": " + event.summary())
                    .toList();
            assertThat(lines)
                    .containsExactly(
                            "step.sleep.started: step 'pause' sleeps until 2030-01-01T00:00:30Z",
                            "step.sleep.completed: step 'pause' has slept until 2030-01-01T00:00:30Z");
        });
    }

    @Test
    void replaysWriteNothingIntoTheHistoryAgain() {
        DagStory.play(A_SLEEP_B, story -> {
            DagRun run = story.start("nap", Map.of());
            story.advance(SECOND.multipliedBy(10));
            story.crash();
            story.find("nap-1").state();
            DagRun after = story.find("nap-1");
            DagStory.result(after);
            assertThat(after.handle().history().stream().map(HistoryEvent::kind))
                    .containsExactly(
                            "RunStarted",
                            "StepCompleted",
                            "step.sleep.started",
                            "WaitTimedOut",
                            "step.sleep.completed",
                            "StepCompleted",
                            "RunCompleted");
        });
    }

    @Test
    void sleeperTellsUntilWhen() {
        DagStory.play(A_SLEEP_B, story -> {
            DagRun run = story.start("nap", Map.of());
            story.advance(SECOND);
            StepState pause = run.state().step("pause");
            assertThat(pause.status()).isEqualTo(StepStatus.SLEEPING);
            assertThat(pause.wakeAt()).contains(Instant.parse("2030-01-01T00:00:30Z"));
            assertThat(run.state().step("b").status()).isEqualTo(StepStatus.PENDING);
        });
    }

    @Test
    void endOfASleepCanBeMovedFromOutside() {
        DagStory.play(A_SLEEP_B, story -> {
            DagRun run = story.start("nap", Map.of());
            story.advance(SECOND);
            run.move("pause", story.test().now().plus(DAY), "not yet");
            assertThat(run.state().step("pause").wakeAt())
                    .contains(story.test().now().plus(DAY));
            story.advance(SECOND.multipliedBy(60));
            run.move("pause", story.test().now().plus(SECOND), "now");
            story.crash();
            DagRun after = story.find("nap-1");
            DagStory.result(after);
            assertThat(story.log()).containsExactly("0 a", "62000 b");
            assertThat(after.state().step("pause").output()).contains(Map.of("wokeAt", "2030-01-01T00:01:02Z"));
        });
    }

    @Test
    void sleepCannotBeMovedBeyondTheLongest() {
        DagStory.play(A_SLEEP_B, story -> {
            DagRun run = story.start("nap", Map.of());
            story.advance(SECOND);
            assertThatThrownBy(() -> run.move("pause", story.test().now().plus(DAY.multipliedBy(366)), "later"))
                    .isInstanceOf(UpdateFailed.class)
                    .hasMessageContaining("may never be moved beyond");
            assertThatThrownBy(() -> run.move("nothing", story.test().now(), ""))
                    .isInstanceOf(UpdateFailed.class)
                    .hasMessageContaining("nothing");
            assertThat(DagStory.result(run)).isEqualTo(Map.of("b", "b"));
        });
    }

    @Test
    void longSleepIsWarnedOf() {
        Dag dag = napping(Dag.workflow("long").task("a", "log").input("a"), DAY.multipliedBy(31));
        DagStory.play(dag, story -> {
            DagRun run = story.start("long", Map.of());
            story.advance(SECOND);
            assertThat(run.state().step("pause").note()).isEqualTo("sleeps for 31 days");
            assertThat(run.toMermaid()).contains("sleeps for 31 days");
        });
        Dag shorter = napping(Dag.workflow("long").task("a", "log").input("a"), DAY.multipliedBy(30));
        DagStory.play(shorter, story -> {
            DagRun run = story.start("long", Map.of());
            story.advance(SECOND);
            assertThat(run.state().step("pause").note()).isEmpty();
        });
    }

    @Test
    void sleepLongerThanTheLongestFailsWhenItIsKnownOnlyThen() {
        Dag dag = Dag.workflow("far")
                .maxSleep(DAY)
                .sleepUntil("pause", "$.input.at")
                .build();
        DagStory.play(dag, story -> {
            DagRun run = story.start("far", Map.of("at", "2030-01-02T00:00:01Z"));
            assertThatThrownBy(() -> DagStory.result(run))
                    .isInstanceOf(WorkflowFailed.class)
                    .hasMessageContaining("step 'pause' failed")
                    .hasMessageContaining("at most PT24H");
        });
    }

    @Test
    void parallelSleepsEndEachAtItsTime() {
        Dag dag = Dag.workflow("two")
                .sleep("short", SECOND)
                .sleep("long", SECOND.multipliedBy(5))
                .task("a", "log")
                .input("a")
                .after("short")
                .task("b", "log")
                .input("b")
                .after("long")
                .task("c", "log")
                .input("c")
                .after("a", "b")
                .build();
        DagStory.play(dag, story -> {
            DagStory.result(story.start("two", null));
            assertThat(story.log()).containsExactly("1000 a", "5000 b", "5000 c");
        });
    }
}
