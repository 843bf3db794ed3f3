package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An event that cancels a run is waited for, or the run says why not. */
class CancelOnTest {
    private static final Duration HOUR = Duration.ofHours(1);

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
