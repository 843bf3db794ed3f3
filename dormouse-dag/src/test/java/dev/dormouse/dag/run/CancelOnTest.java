package dev.dormouse.dag.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.support.DagScenario;
import dev.dormouse.inspect.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A cancelOn condition that cannot be evaluated fails the run. */
class CancelOnTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void conditionThatCannotBeEvaluatedFailsTheRun() {
        Dag dag = Dag.workflow("d")
                .cancelOn("stop", Map.of("id", "$.input.id"))
                .sleep("nap", HOUR)
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", Map.of("id", List.of(1)));
            scenario.advance(HOUR.multipliedBy(2));
            assertThat(run.handle().describe().status()).isEqualTo(RunStatus.FAILED);
        });
    }
}
