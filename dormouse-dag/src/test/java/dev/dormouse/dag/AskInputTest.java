package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Who is asked for an approval gets what the steps before have come to. */
class AskInputTest {
    @Test
    void askWithoutAnInputGetsTheOutputsOfTheStepsBefore() {
        Dag dag = Dag.workflow("d")
                .task("price", "echo")
                .input("17 euros")
                .approval("ok", Duration.ofDays(1))
                .ask("log")
                .after("price")
                .build();
        DagStory.play(dag, story -> {
            story.start("d", null);
            story.advance(Duration.ofSeconds(1));
            assertThat(story.log()).hasSize(1);
            assertThat(story.log().get(0)).contains("steps={price=17 euros}");
        });
    }
}
