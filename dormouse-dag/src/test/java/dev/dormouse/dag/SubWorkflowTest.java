package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.ListOptions;
import dev.dormouse.store.RunStatus;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Steps that are workflows themselves. */
class SubWorkflowTest {
    private static final Dag INNER = Dag.workflow("inner")
            .sleep("nap", Duration.ofSeconds(5))
            .task("work", "echo")
            .input("$.input.x")
            .after("nap")
            .build();

    private static DagBuilder outer() {
        return Dag.workflow("outer").subWorkflow("sub", "inner").input(Map.of("x", "$.input.y"));
    }

    private static DagRun sub(DagStory story) {
        return story.find(story.dormouse()
                .list(ListOptions.ALL.workflowIdPrefix("outer-1/sub/"))
                .runs()
                .get(0)
                .workflowId());
    }

    @Test
    void resultOfAnotherDagIsTheOutput() {
        Dag dag = outer().task("then", "log")
                .input("$.steps.sub.work")
                .after("sub")
                .build();
        try (DagStory story = DagStory.of(dag, INNER)) {
            assertThat(DagStory.result(story.start("outer", Map.of("y", 42)))).isEqualTo(Map.of("then", 42));
            assertThat(story.log()).containsExactly("5000 42");
            assertThat(sub(story).state().dag()).isEqualTo("inner");
        }
    }

    @Test
    void workflowThatIsCodeCanBeOne() {
        Dag dag = Dag.workflow("outer")
                .subWorkflowType("sub", "greet")
                .input("$.input.name")
                .build();
        try (DagStory story = DagStory.with(
                builder -> builder.workflow("greet", String.class, String.class, (ctx, name) -> "hello " + name),
                dag)) {
            assertThat(DagStory.result(story.start("outer", Map.of("name", "ada"))))
                    .isEqualTo(Map.of("sub", "hello ada"));
        }
    }

    @Test
    void failureOfASubWorkflowIsTheStepsFailure() {
        Dag failing = Dag.workflow("inner").task("work", "fail").build();
        try (DagStory story = DagStory.of(outer().build(), failing)) {
            DagRun run = story.start("outer", Map.of("y", 1));
            assertThatThrownBy(() -> DagStory.result(run))
                    .hasMessageContaining("step 'sub' failed")
                    .hasMessageContaining("outer-1/sub");
        }
    }

    @Test
    void subWorkflowThatTakesTooLongIsCancelled() {
        try (DagStory story = DagStory.of(outer().timeout(Duration.ofSeconds(2)).build(), INNER)) {
            DagRun run = story.start("outer", Map.of("y", 1));
            assertThatThrownBy(() -> DagStory.result(run)).hasMessageContaining("within PT2S");
            story.advance(Duration.ofSeconds(1));
            assertThat(sub(story).handle().describe().status()).isIn(RunStatus.CANCELED, RunStatus.TERMINATED);
        }
    }

    @Test
    void dagThatIsRegisteredLaterHealsWhatWaitsForIt() {
        try (DagStory story = DagStory.of(outer().build())) {
            DagRun run = story.start("outer", Map.of("y", 1));
            story.advance(Duration.ofSeconds(5));
            assertThat(run.handle().describe().status().isClosed()).isFalse();
            story.dags().register(INNER);
            assertThat(DagStory.result(run)).isEqualTo(Map.of("sub", Map.of("work", 1)));
        }
    }

    @Test
    void secondRunOfTheSameWorkflowIdHasASubWorkflowOfItsOwn() {
        Dag single = Dag.workflow("outer")
                .singleton()
                .subWorkflow("sub", "inner")
                .input(Map.of("x", "$.input.y"))
                .build();
        try (DagStory story = DagStory.of(single, INNER)) {
            assertThat(DagStory.result(story.dags().start("outer", Map.of("y", 1))))
                    .isEqualTo(Map.of("sub", Map.of("work", 1)));
            assertThat(DagStory.result(story.dags().start("outer", Map.of("y", 2))))
                    .isEqualTo(Map.of("sub", Map.of("work", 2)));
        }
    }
}
