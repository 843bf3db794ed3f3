package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.RunStatus;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** "An event that cancels a run, from its beginning to its end": what came before is not meant. */
class ReviewEarlyCancelTest {
    @Test
    void eventOfBeforeItsBeginningDoesNotCancelARun() {
        Dag dag = Dag.workflow("d")
                .cancelOn("order.cancelled", Map.of("customer", "$.input.customer"))
                .sleep("nap", Duration.ofDays(1))
                .build();
        DagStory.play(dag, story -> {
            story.dags().start("d", "one", Map.of("customer", 1));
            story.advance(Duration.ofSeconds(1));
            story.dormouse().publish("order.cancelled", Map.of("customer", 1));
            story.advance(Duration.ofSeconds(30));
            assertThat(story.find("one").handle().describe().status()).isEqualTo(RunStatus.CANCELED);
            DagRun two = story.dags().start("d", "two", Map.of("customer", 1));
            story.advance(Duration.ofSeconds(1));
            assertThat(two.handle().describe().status()).isNotEqualTo(RunStatus.CANCELED);
        });
    }
}
