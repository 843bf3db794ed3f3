package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.dag.model.StepStatus;
import dev.dormouse.store.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is undone when a run cannot go on, and in which order. */
class CompensationTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** A diamond: a, then b and c, then d, which fails. */
    private static DagBuilder diamond(String last) {
        return undone("a")
                .task("b", "log")
                .input("b")
                .after("a")
                .compensate("undo-b")
                .task("undo-b", "log")
                .input("undo b")
                .task("c", "log")
                .input("c")
                .after("a")
                .compensate("undo-c")
                .task("undo-c", "log")
                .input("undo c")
                .task("d", last)
                .after("b", "c");
    }

    private static DagBuilder undone(String first) {
        return Dag.workflow("d")
                .task(first, "log")
                .input(first)
                .compensate("undo-" + first)
                .task("undo-" + first, "log")
                .input("undo " + first);
    }

    private static List<String> names(DagStory story) {
        return story.log().stream().map(line -> line.replaceAll("^\\d+ ", "")).toList();
    }

    @Test
    void stepsAreUndoneInReverseTopologicalOrder() {
        DagStory.play(diamond("fail").build(), story -> {
            DagRun run = story.start("d", null);
            assertThatThrownBy(() -> DagStory.result(run)).hasMessageContaining("step 'd' failed");
            List<String> log = names(story);
            assertThat(log).hasSize(6).startsWith("a").endsWith("undo a");
            assertThat(log.subList(3, 5)).containsExactlyInAnyOrder("undo b", "undo c");
            assertThat(log.indexOf("undo b") < log.indexOf("undo c")).isEqualTo(log.indexOf("b") > log.indexOf("c"));
            assertThat(run.state().step("a").status()).isEqualTo(StepStatus.COMPENSATED);
            assertThat(run.state().step("undo-a").status()).isEqualTo(StepStatus.COMPLETED);
        });
    }

    @Test
    void nothingIsUndoneWhenAllGoesWell() {
        DagStory.play(diamond("log").build(), story -> {
            DagStory.result(story.start("d", null));
            assertThat(names(story)).noneMatch(line -> line.startsWith("undo"));
        });
    }

    @Test
    void onlyWhatWasDoneIsUndone() {
        Dag dag = undone("a")
                .task("b", "fail")
                .after("a")
                .compensate("undo-b")
                .task("undo-b", "log")
                .input("undo b")
                .build();
        DagStory.play(dag, story -> {
            DagRun run = story.start("d", null);
            assertThatThrownBy(() -> DagStory.result(run)).hasMessageContaining("step 'b' failed");
            assertThat(names(story)).containsExactly("a", "undo a");
        });
    }

    @Test
    void undoingGetsWhatWasDone() {
        Dag dag = Dag.workflow("d")
                .task("book", "echo")
                .input(Map.of("id", "$.input.id"))
                .compensate("cancel")
                .task("cancel", "log")
                .input(Map.of("booking", "$.steps.book.id"))
                .task("hotel", "echo")
                .input(Map.of("id", 8))
                .after("book")
                .compensate("leave")
                .task("leave", "log")
                .task("bad", "fail")
                .after("hotel")
                .build();
        DagStory.play(dag, story -> {
            DagRun run = story.start("d", Map.of("id", 7));
            assertThatThrownBy(() -> DagStory.result(run)).hasMessageContaining("step 'bad' failed");
            assertThat(names(story)).containsExactly("{input={id=7}, steps={hotel={id=8}}}", "{booking=7}");
        });
    }

    @Test
    void cancelledRunIsUndone() {
        Dag dag = undone("a").sleep("long", Duration.ofDays(1)).after("a").build();
        DagStory.play(dag, story -> {
            DagRun run = story.start("d", null);
            story.advance(SECOND);
            run.handle().cancel("enough");
            story.advance(SECOND);
            assertThat(run.handle().describe().status()).isEqualTo(RunStatus.CANCELED);
            assertThat(names(story)).containsExactly("a", "undo a");
            assertThat(run.state().step("long").status()).isEqualTo(StepStatus.CANCELED);
        });
    }

    @Test
    void runWhoseTimeIsUpIsUndoneAndFails() {
        Dag dag = undone("a")
                .sleep("long", Duration.ofDays(1))
                .after("a")
                .sleep("other", Duration.ofDays(2))
                .after("a")
                .runTimeout(Duration.ofHours(1))
                .build();
        DagStory.play(dag, story -> {
            DagRun run = story.start("d", null);
            assertThatThrownBy(() -> DagStory.result(run))
                    .hasMessageContaining("DM3025")
                    .hasMessageContaining("within PT1H")
                    .hasMessageContaining("'long', 'other'");
            assertThat(story.test().elapsed()).isEqualTo(Duration.ofHours(1));
            assertThat(names(story)).containsExactly("a", "undo a");
        });
    }

    @Test
    void undoingGoesOnWhenTheProcessDies() {
        Dag dag = undone("a").sleep("long", Duration.ofDays(1)).after("a").build();
        DagStory.play(dag, story -> {
            story.start("d", null);
            story.advance(SECOND);
            story.find("d-1").handle().cancel("enough");
            story.crash();
            story.advance(SECOND);
            assertThat(story.find("d-1").handle().describe().status()).isEqualTo(RunStatus.CANCELED);
            assertThat(names(story)).startsWith("a").endsWith("undo a");
        });
    }

    @Test
    void undoingThatFailsDoesNotKeepTheRestFromBeingUndone() {
        Dag dag = undone("a")
                .task("b", "log")
                .input("b")
                .after("a")
                .compensate("undo-b")
                .task("undo-b", "fail")
                .task("bad", "fail")
                .after("b")
                .build();
        DagStory.play(dag, story -> {
            DagRun run = story.start("d", null);
            assertThatThrownBy(() -> DagStory.result(run)).hasMessageContaining("step 'bad' failed");
            assertThat(names(story)).containsExactly("a", "b", "undo a");
            assertThat(run.state().step("undo-b").status()).isEqualTo(StepStatus.FAILED);
            assertThat(run.state().step("b").status()).isEqualTo(StepStatus.COMPLETED);
        });
    }
}
