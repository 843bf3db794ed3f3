package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.HistoryEvent;
import dev.dormouse.dag.model.StepStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Steps that sleep: no worker, one alarm. */
class SleepStepTest {
    private static final Dag A_SLEEP_B = Dag.workflow("nap")
            .task("a", "log")
            .input("a")
            .sleep("pause", Duration.ofSeconds(30))
            .after("a")
            .task("b", "log")
            .input("b")
            .after("pause")
            .build();

    @Test
    void nextStepBeginsExactlyWhenTheSleepIsOver() {
        DagStory.play(A_SLEEP_B, story -> {
            DagRun run = story.start("nap", Map.of());
            assertThat(DagStory.result(run)).isEqualTo(Map.of("b", "b"));
            assertThat(story.log()).containsExactly("0 a", "30000 b");
            List<String> kinds =
                    run.handle().history().stream().map(HistoryEvent::kind).toList();
            assertThat(kinds).contains("step.sleep.started", "step.sleep.completed");
            assertThat(run.state().step("pause").status()).isEqualTo(StepStatus.COMPLETED);
            System.out.println(run.handle().history());
            System.out.println(run.toMermaid());
            System.out.println(run.state());
        });
    }
}
