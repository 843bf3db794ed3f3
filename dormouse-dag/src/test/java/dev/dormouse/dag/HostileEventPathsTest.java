package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.error.ErrorCode;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Defects: paths into events are written like no other paths, and limits are not what they are said to be. */
class HostileEventPathsTest {
    private static final Duration HOUR = Duration.ofHours(1);

    /** The Javadoc of DagBuilder knows one kind of path, with [0] for items; this one never matches, and says nothing. */
    @Test
    void pathsIntoEventsAreWrittenLikeAllPathsOrRefused() {
        Sentence.goesWellOrIsRefused("a[1]", () -> {
            Dag dag = Dag.workflow("w")
                    .waitForEvent("e", "ev", Map.of("a[1]", "x"), HOUR)
                    .build();
            try (DagStory story = DagStory.of(dag)) {
                DagRun run = story.start("w", null);
                story.advance(Duration.ofSeconds(1));
                Map<String, Object> payload = Map.of("a", List.of("w", "x"));
                story.dormouse().publish("ev", payload);
                assertThat(DagStory.result(run)).isEqualTo(Map.of("e", payload));
            }
        });
    }

    /** Known before the run: at the latest moment, the step fails with this. */
    @Test
    void matchThatCanNeverBeAskedForIsRefusedWhenBuilt() {
        for (Object bad : List.of(List.of(1), Map.of("d", 4))) {
            Sentence.refused(
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
        try (DagStory story = DagStory.of()) {
            story.dormouse().publish("ev", payload);
        }
    }

    /** Who publishes has no condition to change. */
    @Test
    void whoPublishesTooManyValuesIsToldSo() {
        try (DagStory story = DagStory.of()) {
            Object[] many = new Object[5_000];
            assertThat(Sentence.refused("", () -> story.dormouse().publish("ev", Arrays.asList(many))))
                    .hasMessageNotContaining("Change the condition");
        }
    }
}
