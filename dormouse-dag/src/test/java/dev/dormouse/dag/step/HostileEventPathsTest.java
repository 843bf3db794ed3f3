package dev.dormouse.dag.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.support.DagScenario;
import dev.dormouse.dag.support.RefusalAssertions;
import dev.dormouse.error.ErrorCode;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Regression tests of event paths that differed from all other paths, and of limits that did not hold. */
class HostileEventPathsTest {
    private static final Duration HOUR = Duration.ofHours(1);

    /**
     * The Javadoc of DagBuilder defines one kind of path, with [0] for items; this one never matched, without an error.
     */
    @Test
    void pathsIntoEventsAreWrittenLikeAllPathsOrRefused() {
        RefusalAssertions.succeedsOrIsRefused("a[1]", () -> {
            Dag dag = Dag.workflow("w")
                    .waitForEvent("e", "ev", Map.of("a[1]", "x"), HOUR)
                    .build();
            try (DagScenario scenario = DagScenario.of(dag)) {
                DagRun run = scenario.start("w", null);
                scenario.advance(Duration.ofSeconds(1));
                Map<String, Object> payload = Map.of("a", List.of("w", "x"));
                scenario.dormouse().publish("ev", payload);
                assertThat(DagScenario.result(run)).isEqualTo(Map.of("e", payload));
            }
        });
    }

    /** The mistake is known before the run; otherwise the step fails with it at the last moment. */
    @Test
    void matchThatCanNeverHoldIsRefusedWhenBuilt() {
        for (Object bad : List.of(List.of(1), Map.of("d", 4))) {
            RefusalAssertions.refused(
                    ErrorCode.BAD_DAG,
                    () -> Dag.workflow("w")
                            .waitForEvent("e", "ev", Map.of("k", bad), HOUR)
                            .build());
        }
    }

    @Test
    void thousandValuesCanBePublished() {
        Map<String, Object> payload = new HashMap<>();
        for (int i = 0; i < 1_000; i++) {
            payload.put("k" + i, i);
        }
        try (DagScenario scenario = DagScenario.of()) {
            scenario.dormouse().publish("ev", payload);
        }
    }

    /** The publisher cannot change the condition. */
    @Test
    void publisherOfTooManyValuesGetsAnError() {
        try (DagScenario scenario = DagScenario.of()) {
            Object[] many = new Object[5_000];
            assertThat(RefusalAssertions.refused("", () -> scenario.dormouse().publish("ev", Arrays.asList(many))))
                    .hasMessageNotContaining("Change the condition");
        }
    }
}
