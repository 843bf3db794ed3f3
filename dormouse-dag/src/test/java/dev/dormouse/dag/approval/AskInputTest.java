package dev.dormouse.dag.approval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.support.DagScenario;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The input of the activity that asks for an approval: the outputs of the steps before. */
class AskInputTest {
    @Test
    void askWithoutAnInputGetsTheOutputsOfTheStepsBefore() {
        Dag dag = Dag.workflow("d")
                .task("price", "echo")
                .input("17 euros")
                .approval("ok", Duration.ofDays(1))
                .ask("log")
                .after("price")
                .build();
        DagScenario.play(dag, scenario -> {
            scenario.start("d", null);
            scenario.advance(Duration.ofSeconds(1));
            assertThat(scenario.log()).hasSize(1);
            assertThat(scenario.log().get(0)).contains("steps={price=17 euros}");
        });
    }
}
