package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Defects: starts that mean different runs, and get the same one. */
class HostileKeysDefectTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static Dag keyed(String name) {
        return Dag.workflow(name)
                .idempotencyKey("$.input.k")
                .task("a", "echo")
                .output(name)
                .build();
    }

    /** A second start with the same value returns the first run: of this DAG, not of another. */
    @Test
    void keysOfDifferentDagsAreDifferent() {
        try (DagStory story = DagStory.of(keyed("a"), keyed("a/b"))) {
            assertThat(story.dags().start("a", Map.of("k", "b/c")).result(SECOND))
                    .isEqualTo("a");
            assertThat(story.dags().start("a/b", Map.of("k", "c")).result(SECOND))
                    .isEqualTo("a/b");
        }
    }

    @Test
    void singletonIsNoKeyOfAnotherDag() {
        Dag single = Dag.workflow("a/b")
                .singleton()
                .sleep("s", Duration.ofHours(1))
                .output("single")
                .build();
        try (DagStory story = DagStory.of(keyed("a"), single)) {
            DagRun one = story.dags().start("a/b", (Object) null);
            story.advance(SECOND);
            DagRun two = story.dags().start("a", Map.of("k", "b"));
            assertThat(two.handle().runId()).isNotEqualTo(one.handle().runId());
        }
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
