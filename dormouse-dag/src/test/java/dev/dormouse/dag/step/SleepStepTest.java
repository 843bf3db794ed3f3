package dev.dormouse.dag.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagBuilder;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.DagState.StepState;
import dev.dormouse.dag.model.StepStatus;
import dev.dormouse.dag.support.DagScenario;
import dev.dormouse.error.UpdateFailedException;
import dev.dormouse.error.WorkflowFailedException;
import dev.dormouse.inspect.HistoryEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Sleep steps: no thread, one alarm. */
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
    void nextStepBeginsExactlyAtTheEndOfTheSleep() {
        DagScenario.play(A_SLEEP_B, scenario -> {
            DagRun run = scenario.start("nap", Map.of());
            assertThat(DagScenario.result(run)).isEqualTo(Map.of("b", "b"));
            assertThat(scenario.log()).containsExactly("0 a", "30000 b");
        });
    }

    @Test
    void sleepContinuesAfterACrash() {
        DagScenario.play(A_SLEEP_B, scenario -> {
            scenario.start("nap", Map.of());
            scenario.advance(SECOND.multipliedBy(10));
            scenario.crash();
            scenario.advance(SECOND.multipliedBy(10));
            scenario.crash();
            assertThat(DagScenario.result(scenario.find("nap-1"))).isEqualTo(Map.of("b", "b"));
            assertThat(scenario.log()).containsExactly("0 a", "30000 b");
        });
    }

    @Test
    void historyShowsBeginAndEndOfASleep() {
        DagScenario.play(A_SLEEP_B, scenario -> {
            DagRun run = scenario.start("nap", Map.of());
            DagScenario.result(run);
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
        DagScenario.play(A_SLEEP_B, scenario -> {
            DagRun run = scenario.start("nap", Map.of());
            scenario.advance(SECOND.multipliedBy(10));
            scenario.crash();
            scenario.find("nap-1").state();
            DagRun after = scenario.find("nap-1");
            DagScenario.result(after);
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
    void stateShowsTheEndOfASleep() {
        DagScenario.play(A_SLEEP_B, scenario -> {
            DagRun run = scenario.start("nap", Map.of());
            scenario.advance(SECOND);
            StepState pause = run.state().step("pause");
            assertThat(pause.status()).isEqualTo(StepStatus.SLEEPING);
            assertThat(pause.wakeAt()).contains(Instant.parse("2030-01-01T00:00:30Z"));
            assertThat(run.state().step("b").status()).isEqualTo(StepStatus.PENDING);
        });
    }

    @Test
    void endOfASleepCanBeMovedFromOutside() {
        DagScenario.play(A_SLEEP_B, scenario -> {
            DagRun run = scenario.start("nap", Map.of());
            scenario.advance(SECOND);
            run.move("pause", scenario.test().now().plus(DAY), "not yet");
            assertThat(run.state().step("pause").wakeAt())
                    .contains(scenario.test().now().plus(DAY));
            scenario.advance(SECOND.multipliedBy(60));
            run.move("pause", scenario.test().now().plus(SECOND), "now");
            scenario.crash();
            DagRun after = scenario.find("nap-1");
            DagScenario.result(after);
            assertThat(scenario.log()).containsExactly("0 a", "62000 b");
            assertThat(after.state().step("pause").output()).contains(Map.of("wokeAt", "2030-01-01T00:01:02Z"));
        });
    }

    @Test
    void sleepCannotBeMovedBeyondMaxSleep() {
        DagScenario.play(A_SLEEP_B, scenario -> {
            DagRun run = scenario.start("nap", Map.of());
            scenario.advance(SECOND);
            assertThatThrownBy(() -> run.move("pause", scenario.test().now().plus(DAY.multipliedBy(366)), "later"))
                    .isInstanceOf(UpdateFailedException.class)
                    .hasMessageContaining("may never be moved beyond");
            assertThatThrownBy(() -> run.move("nothing", scenario.test().now(), ""))
                    .isInstanceOf(UpdateFailedException.class)
                    .hasMessageContaining("nothing");
            assertThat(DagScenario.result(run)).isEqualTo(Map.of("b", "b"));
        });
    }

    @Test
    void longSleepLogsAWarning() {
        Dag dag = napping(Dag.workflow("long").task("a", "log").input("a"), DAY.multipliedBy(31));
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("long", Map.of());
            scenario.advance(SECOND);
            assertThat(run.state().step("pause").note()).isEqualTo("sleeps for 31 days");
            assertThat(run.toMermaid()).contains("sleeps for 31 days");
        });
        Dag shorter = napping(Dag.workflow("long").task("a", "log").input("a"), DAY.multipliedBy(30));
        DagScenario.play(shorter, scenario -> {
            DagRun run = scenario.start("long", Map.of());
            scenario.advance(SECOND);
            assertThat(run.state().step("pause").note()).isEmpty();
        });
    }

    @Test
    void sleepFromDataBeyondMaxSleepFailsTheStep() {
        Dag dag = Dag.workflow("far")
                .maxSleep(DAY)
                .sleepUntil("pause", "$.input.at")
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("far", Map.of("at", "2030-01-02T00:00:01Z"));
            assertThatThrownBy(() -> DagScenario.result(run))
                    .isInstanceOf(WorkflowFailedException.class)
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
        DagScenario.play(dag, scenario -> {
            DagScenario.result(scenario.start("two", null));
            assertThat(scenario.log()).containsExactly("1000 a", "5000 b", "5000 c");
        });
    }
}
