package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.dag.support.DagScenario;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Regression tests of idempotency keys that differ in form but mean the same run. */
class HostileKeysTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static Dag keyed(String name) {
        return Dag.workflow(name)
                .idempotencyKey("$.input.k")
                .task("a", "echo")
                .output(name)
                .build();
    }

    @Test
    void equalNumbersAreTheSameKey() {
        try (DagScenario scenario = DagScenario.of(keyed("a"))) {
            String number = scenario.dags().start("a", Map.of("k", 1)).workflowId();
            String decimal = scenario.dags().start("a", Map.of("k", 1.0)).workflowId();
            assertThat(decimal).isEqualTo(number);
        }
    }
}
