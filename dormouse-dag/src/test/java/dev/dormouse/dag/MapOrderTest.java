package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.dormouse.dag.support.DagScenario;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Map.of has a different order in each process, but the program must be able to register its DAG again. */
class MapOrderTest {
    private static Dag dag(String... names) {
        Map<String, Object> input = new LinkedHashMap<>();
        for (String name : names) {
            input.put(name, "$.input." + name);
        }
        return Dag.workflow("d").task("a", "log").input(input).build();
    }

    @Test
    void orderOfAMapDoesNotChangeTheDag() {
        assertThat(dag("x", "y")).isEqualTo(dag("y", "x"));
        DagScenario.play(
                dag("x", "y"),
                scenario -> assertThatCode(() -> scenario.dags().register(dag("y", "x")))
                        .doesNotThrowAnyException());
    }
}
