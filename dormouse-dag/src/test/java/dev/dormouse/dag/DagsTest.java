package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.StartOptions;
import dev.dormouse.dag.model.StepStatus;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Definitions in the store, their versions, and which run a start means. */
class DagsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static Dag version(int version, String word) {
        return Dag.workflow("d")
                .version(version)
                .sleep("nap", Duration.ofHours(1))
                .task("say", "log")
                .input(word)
                .after("nap")
                .build();
    }

    private static void refused(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        DormouseException.class,
                        refused -> assertThat(refused.code()).isEqualTo(code));
    }

    // ---- versions

    @Test
    void runKeepsItsVersionAndTheNextStartTakesTheLatest() {
        try (DagStory story = DagStory.of(version(1, "one"))) {
            DagRun old = story.dags().start("d", "old", null);
            story.advance(SECOND);
            story.dags().register(version(2, "two"));
            DagRun young = story.dags().start("d", "young", null);
            story.crash();
            assertThat(DagStory.result(story.find("old"))).isEqualTo(Map.of("say", "one"));
            assertThat(DagStory.result(story.find("young"))).isEqualTo(Map.of("say", "two"));
            assertThat(story.find("old").state().version()).isEqualTo(1);
            assertThat(story.find("young").handle().describe().memo()).containsEntry("dag.version", "2");
        }
    }

    @Test
    void versionNeverChanges() {
        try (DagStory story = DagStory.of(version(1, "one"))) {
            story.dags().register(version(1, "one"));
            refused(ErrorCode.DAG_CHANGED, () -> story.dags().register(version(1, "other")));
            assertThat(story.dags().find("d")).contains(version(1, "one"));
        }
    }

    @Test
    void lowerVersionThatComesLaterIsNotTheLatest() {
        try (DagStory story = DagStory.of(version(3, "three"))) {
            story.dags().register(version(2, "two"));
            assertThat(story.dags().find("d")).contains(version(3, "three"));
            assertThat(story.dags().find("d", 2)).contains(version(2, "two"));
            assertThat(story.dags().find("d", 1)).isEmpty();
            assertThat(story.dags().find("d", 0)).isEmpty();
            assertThat(story.dags().find("e")).isEmpty();
            assertThat(story.dags().list()).containsExactly(version(3, "three"));
        }
    }

    @Test
    void definitionsAreThereAfterARestart() {
        try (DagStory story = DagStory.of()) {
            story.dags().register(version(1, "one"));
            story.crash();
            assertThat(DagStory.result(story.dags().start("d", "x", null))).isEqualTo(Map.of("say", "one"));
        }
    }

    @Test
    void unknownDagIsRefused() {
        try (DagStory story = DagStory.of()) {
            refused(ErrorCode.DAG_NOT_FOUND, () -> story.dags().start("d", "x", null));
            refused(ErrorCode.DAG_NOT_FOUND, () -> story.dags().start("d", null));
        }
        refused(ErrorCode.DORMOUSE_CLOSED, () -> Dags.of().find("d"));
    }

    // ---- which run is meant

    @Test
    void sameKeyMeansTheSameRun() {
        Dag dag = Dag.workflow("d")
                .idempotencyKey("$.input.order.id")
                .task("say", "log")
                .input("$.input.order.id")
                .build();
        DagStory.play(dag, story -> {
            DagRun one = story.dags().start("d", Map.of("order", Map.of("id", 17)));
            DagRun again = story.dags().start("d", Map.of("order", Map.of("id", 17)));
            DagRun other = story.dags().start("d", Map.of("order", Map.of("id", "x")));
            DagStory.result(one);
            DagStory.result(other);
            DagRun later = story.dags().start("d", Map.of("order", Map.of("id", 17)));
            assertThat(again.handle().runId()).isEqualTo(one.handle().runId());
            assertThat(later.handle().runId()).isEqualTo(one.handle().runId());
            assertThat(one.workflowId()).isEqualTo("d/17");
            assertThat(story.log()).containsExactlyInAnyOrder("0 17", "0 x");
            refused(ErrorCode.DAG_DATA, () -> story.dags().start("d", Map.of()));
            refused(ErrorCode.DAG_DATA, () -> story.dags().start("d", null));
            refused(ErrorCode.DAG_DATA, () -> story.dags().start("d", Map.of("order", Map.of("id", Map.of()))));
            refused(ErrorCode.BAD_ARGUMENT, () -> story.dags().start("d", "my-id", Map.of()));
        });
    }

    @Test
    void singletonHasOneRunAtATime() {
        Dag dag = Dag.workflow("d").singleton().sleep("nap", SECOND).build();
        DagStory.play(dag, story -> {
            DagRun one = story.dags().start("d", null);
            DagRun again = story.dags().start("d", null);
            assertThat(again.handle().runId()).isEqualTo(one.handle().runId());
            DagStory.result(one);
            DagRun next = story.dags().start("d", null);
            assertThat(next.handle().runId()).isNotEqualTo(one.handle().runId());
            DagStory.result(next);
            refused(ErrorCode.BAD_ARGUMENT, () -> story.dags().start("d", "my-id", null));
        });
    }

    @Test
    void startWithoutAnIdHasANewOne() {
        Dag dag = Dag.workflow("d").task("say", "log").input("x").build();
        DagStory.play(dag, story -> {
            DagRun one = story.dags().start("d", null);
            DagRun two = story.dags().start("d", null);
            assertThat(one.workflowId()).isNotEqualTo(two.workflowId()).startsWith("d/");
        });
    }

    @Test
    void optionsOfAStartHold() {
        Dag dag = Dag.workflow("d").task("say", "log").input("x").build();
        DagStory.play(dag, story -> {
            DagRun run = story.dags()
                    .start("d", "late", StartOptions.DEFAULT.startDelay(SECOND).memo("who", "ada"), null);
            assertThat(run.state().steps()).isEmpty();
            DagStory.result(run);
            assertThat(story.log()).containsExactly("1000 x");
            assertThat(run.handle().describe().memo()).containsEntry("who", "ada");
        });
    }

    // ---- the event that cancels

    @Test
    void eventCancelsARunAndNoOther() {
        Dag dag = Dag.workflow("d")
                .cancelOn("order.cancelled", Map.of("id", "$.input.id"))
                .sleep("nap", Duration.ofDays(1))
                .build();
        DagStory.play(dag, story -> {
            DagRun one = story.dags().start("d", "one", Map.of("id", 1));
            DagRun two = story.dags().start("d", "two", Map.of("id", 2));
            story.advance(SECOND);
            story.dormouse().publish("order.cancelled", Map.of("id", 1));
            story.advance(SECOND);
            assertThat(one.handle().describe().status()).isEqualTo(RunStatus.CANCELED);
            assertThat(one.state().step("nap").status()).isEqualTo(StepStatus.CANCELED);
            assertThat(two.state().step("nap").status()).isEqualTo(StepStatus.SLEEPING);
            DagStory.result(two);
            story.dormouse().publish("order.cancelled", Map.of("id", 2));
            story.advance(SECOND);
            assertThat(two.handle().describe().status()).isEqualTo(RunStatus.COMPLETED);
        });
    }

    @Test
    void eventThatCancelsIsHeardAfterACrash() {
        Dag dag = Dag.workflow("d")
                .cancelOn("stop", Map.of())
                .sleep("nap", Duration.ofDays(1))
                .build();
        DagStory.play(dag, story -> {
            story.dags().start("d", "one", null);
            story.advance(SECOND);
            story.crash();
            story.dormouse().publish("stop", null);
            story.advance(SECOND);
            assertThat(story.find("one").handle().describe().status()).isEqualTo(RunStatus.CANCELED);
        });
    }

    // ---- data

    @Test
    void stepGetsTheInputAndWhatItComesAfter() {
        Dag dag = Dag.workflow("d")
                .task("a", "echo")
                .input(1)
                .task("b", "echo")
                .input(2)
                .task("c", "echo")
                .after("a", "b")
                .task("e", "echo")
                .input(Map.of("list", List.of("$.steps.a", "$.steps.c.steps.b", "$$.not.a.path")))
                .after("c")
                .build();
        DagStory.play(dag, story -> {
            DagRun run = story.start("d", Map.of("x", 1));
            assertThat(DagStory.result(run)).isEqualTo(Map.of("e", Map.of("list", List.of(1, 2, "$.not.a.path"))));
            assertThat(run.state().step("c").output())
                    .contains(Map.of("input", Map.of("x", 1), "steps", Map.of("a", 1, "b", 2)));
        });
    }

    @Test
    void runReturnsWhatItsOutputSays() {
        Dag dag = Dag.workflow("d")
                .output(Map.of("sum", "$.steps.a", "of", "$.input.x"))
                .task("a", "double")
                .input("$.input.x")
                .task("b", "echo")
                .after("a")
                .build();
        DagStory.play(dag, story -> {
            assertThat(DagStory.result(story.start("d", Map.of("x", 4)))).isEqualTo(Map.of("sum", 8, "of", 4));
        });
    }
}
