package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A run that failed is tried again. */
class ReviewRetryTest {
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

    /** Undone by the first run, and taken as done by the second. */
    @Test
    void whatWasUndoneIsNotTakenAsDone() {
        AtomicInteger calls = new AtomicInteger();
        Dag dag = Dag.workflow("d")
                .task("a", "log")
                .input("a")
                .compensate("undo")
                .task("undo", "log")
                .input("undo a")
                .task("flaky", "flaky")
                .after("a")
                .build();
        try (DagStory story = DagStory.with(
                builder -> builder.activity("flaky", Object.class, Object.class, input -> {
                    if (calls.incrementAndGet() == 1) {
                        throw new IllegalStateException("not yet");
                    }
                    return "ok";
                }),
                dag)) {
            DagRun run = story.start("d", null);
            assertThatThrownBy(() -> DagStory.result(run)).hasMessageContaining("not yet");
            run.handle().retry();
            DagStory.result(story.find("d-1"));
            assertThat(story.log()).containsExactly("0 a", "0 undo a", "0 a");
        }
    }

    /** Done once, and undone twice. */
    @Test
    void whatWasUndoneIsNotUndoneAgain() {
        Dag dag = Dag.workflow("d")
                .task("a", "log")
                .input("a")
                .compensate("undo")
                .task("undo", "log")
                .input("undo a")
                .task("bad", "fail")
                .after("a")
                .build();
        DagStory.play(dag, story -> {
            DagRun run = story.start("d", null);
            assertThatThrownBy(() -> DagStory.result(run)).hasMessageContaining("no");
            try {
                run.handle().retry().result(Duration.ofDays(1));
            } catch (RuntimeException failedOrRefused) {
                // as it must
            }
            assertThat(story.log().stream().filter("0 undo a"::equals).count())
                    .isEqualTo(story.log().stream().filter("0 a"::equals).count());
        });
    }
}
