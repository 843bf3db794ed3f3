package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Defects: starts that mean different runs, and get the same one. */
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
    void sameNumberIsTheSameKey() {
        try (DagStory story = DagStory.of(keyed("a"))) {
            String number = story.dags().start("a", Map.of("k", 1)).workflowId();
            String decimal = story.dags().start("a", Map.of("k", 1.0)).workflowId();
            assertThat(decimal).isEqualTo(number);
        }
    }
}
