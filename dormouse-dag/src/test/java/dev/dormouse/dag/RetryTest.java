package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A run that failed is tried again. */
class RetryTest {
    @Test
    void stepsWithSubWorkflowsMapsAndApprovalsAreReplayed() {
        AtomicInteger calls = new AtomicInteger();
        Dag sub = Dag.workflow("sub").task("x", "echo").input("s").build();
        Dag dag = Dag.workflow("d")
                .runTimeout(Duration.ofDays(10))
                .cancelOn("stop", Map.of())
                .subWorkflow("sub", "sub")
                .map("m", "echo", "$.input")
                .sleep("nap", Duration.ofHours(1))
                .task("flaky", "flaky")
                .after("sub", "m", "nap")
                .build();
        try (DagStory story = DagStory.with(
                builder -> builder.activity("flaky", Object.class, Object.class, input -> {
                    if (calls.incrementAndGet() == 1) {
                        throw new IllegalStateException("not yet");
                    }
                    return "ok";
                }),
                dag,
                sub)) {
            DagRun run = story.start("d", List.of(1, 2, 3));
            assertThatThrownBy(() -> DagStory.result(run)).hasMessageContaining("not yet");
            run.handle().retry();
            assertThat(DagStory.result(story.find("d-1"))).isEqualTo(Map.of("flaky", "ok"));
        }
    }
}
