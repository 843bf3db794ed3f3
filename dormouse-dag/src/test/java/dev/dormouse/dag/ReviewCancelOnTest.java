package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The event that cancels a run cancels that run, and no other. */
class ReviewCancelOnTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void nextRunOfASingletonIsNotCancelledByWhatTheLastOneHasSent() {
        Dag dag = Dag.workflow("d")
                .singleton()
                .cancelOn("stop", Map.of("at", "$.input.at"))
                .waitForEvent("wait", "stop", Map.of(), HOUR)
                .build();
        DagStory.play(dag, story -> {
            for (int i = 0; i < 20; i++) {
                DagRun first = story.dags().start("d", Map.of("at", 2 * i));
                story.advance(SECOND);
                story.dormouse().publish("stop", Map.of("at", 2 * i));
                try {
                    DagStory.result(first);
                } catch (RuntimeException canceled) {
                    // may be
                }
                DagRun second = story.dags().start("d", Map.of("at", 2 * i + 1));
                story.advance(SECOND);
                RunStatus status = second.handle().describe().status();
                second.handle().terminate("end");
                story.advance(Duration.ofMinutes(2));
                assertThat(status).as("round " + i).isNotEqualTo(RunStatus.CANCELED);
            }
        });
    }

    @Test
    void conditionThatCannotBeMetIsNotPassedOverInSilence() {
        Dag dag = Dag.workflow("d")
                .cancelOn("stop", Map.of("id", "$.input.id"))
                .sleep("nap", HOUR)
                .build();
        DagStory.play(dag, story -> {
            DagRun run = story.start("d", Map.of("id", List.of(1)));
            story.advance(HOUR.multipliedBy(2));
            assertThat(run.handle().describe().status()).isEqualTo(RunStatus.FAILED);
        });
    }
}
