package dev.dormouse.dag.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.model.StepStatus;
import dev.dormouse.dag.support.DagScenario;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A run that fails because its output has no value is compensated like any failed run. */
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
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", null);
            assertThatThrownBy(() -> DagScenario.result(run)).hasMessageContaining("$.steps.a.missing");
            assertThat(scenario.log()).hasSize(2);
            assertThat(run.state().step("a").status()).isEqualTo(StepStatus.COMPENSATED);
        });
    }
}
