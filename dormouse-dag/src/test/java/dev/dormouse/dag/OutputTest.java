package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.dag.model.StepStatus;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A run that fails because its output leads nowhere is a run that fails: what it did is undone. */
class OutputTest {
    @Test
    void runThatFailsAtItsOutputIsCompensated() {
        Dag dag = Dag.workflow("d")
                .output(Map.of("x", "$.steps.a.missing"))
                .task("a", "log")
                .input("done")
                .compensate("undo")
                .task("undo", "log")
                .input("undone")
                .build();
        DagStory.play(dag, story -> {
            DagRun run = story.start("d", null);
            assertThatThrownBy(() -> DagStory.result(run)).hasMessageContaining("$.steps.a.missing");
            assertThat(story.log()).hasSize(2);
            assertThat(run.state().step("a").status()).isEqualTo(StepStatus.COMPENSATED);
        });
    }
}
