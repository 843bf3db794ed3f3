package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Names with a slash do not make one thing of two. */
class ReviewNamesTest {
    @Test
    void keysOfOneDagAreNotThoseOfAnother() {
        Dag one = Dag.workflow("a")
                .idempotencyKey("$.input.key")
                .task("t", "echo")
                .input("a")
                .build();
        Dag other = Dag.workflow("a/b")
                .idempotencyKey("$.input.key")
                .task("t", "echo")
                .input("a/b")
                .build();
        try (DagStory story = DagStory.of(one, other)) {
            assertThat(DagStory.result(story.dags().start("a", Map.of("key", "b/c"))))
                    .isEqualTo(Map.of("t", "a"));
            assertThat(DagStory.result(story.dags().start("a/b", Map.of("key", "c"))))
                    .isEqualTo(Map.of("t", "a/b"));
        }
    }

    @Test
    void queueOfAStepIsNotThatOfAnotherDag() {
        Dag one = Dag.workflow("a")
                .task("b", "log")
                .input("x")
                .rateLimit(1, Duration.ofHours(1))
                .build();
        Dag other = Dag.workflow("a/b").runLimit(1).task("t", "echo").input("y").build();
        try (DagStory story = DagStory.of(one, other)) {
            story.dags().start("a", "a-1", null);
            story.dags().start("a", "a-2", null);
            story.dags().start("a/b", "ab-1", null);
            story.advance(Duration.ofSeconds(1));
            assertThat(story.log()).hasSize(1);
        }
    }
}
