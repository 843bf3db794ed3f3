package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.StartOptions;
import dev.dormouse.dag.DagState.StepState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Defects: steps of runs that are over for good, to which things still seem to happen. */
class HostileStateTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static void allAreOver(DagRun run) {
        assertThat(run.handle().describe().status().isClosed()).isTrue();
        assertThat(run.state().steps())
                .allMatch((StepState step) -> step.status().isOver());
    }

    @Test
    void nothingIsPendingInARunThatWasCancelled() {
        Dag dag = Dag.workflow("d")
                .sleep("a", Duration.ofDays(1))
                .task("b", "log")
                .after("a")
                .build();
        DagStory.play(dag, story -> {
            DagRun run = story.start("d", null);
            story.advance(SECOND);
            run.handle().cancel("enough");
            story.advance(SECOND);
            allAreOver(run);
        });
    }

    @Test
    void nothingIsPendingInARunWhoseTimeWasUp() {
        Dag dag = Dag.workflow("d")
                .sleep("a", Duration.ofDays(1))
                .task("b", "log")
                .after("a")
                .runTimeout(SECOND)
                .build();
        DagStory.play(dag, story -> {
            DagRun run = story.start("d", null);
            story.advance(SECOND.multipliedBy(2));
            allAreOver(run);
        });
    }

    @Test
    void nothingSleepsInARunThatWasTerminated() {
        Dag dag = Dag.workflow("d").sleep("a", Duration.ofDays(1)).build();
        DagStory.play(dag, story -> {
            DagRun run = story.start("d", null);
            story.advance(SECOND);
            run.handle().terminate("enough");
            story.advance(SECOND);
            allAreOver(run);
        });
    }

    @Test
    void handlersAndUndoersThatWereNotNeededAreNotPending() {
        Dag dag = Dag.workflow("d")
                .task("a", "log")
                .onFailure("h")
                .task("h", "log")
                .build();
        DagStory.play(dag, story -> {
            DagRun run = story.start("d", null);
            DagStory.result(run);
            allAreOver(run);
        });
    }

    @Test
    void nobodyIsAskedToApproveInARunThatWasTerminated() {
        Dag dag = Dag.workflow("d").approval("a", Duration.ofDays(1)).build();
        DagStory.play(dag, story -> {
            DagRun run = story.start("d", null);
            story.advance(SECOND);
            run.handle().terminate("enough");
            story.advance(SECOND);
            assertThat(run.approvals()).isEmpty();
        });
    }

    /** Its state says that the name is empty then; a picture of it is asked for with that. */
    @Test
    void runThatHasNotBegunHasAPicture() {
        Dag dag = Dag.workflow("d").task("a", "log").build();
        DagStory.play(dag, story -> {
            StartOptions later = StartOptions.DEFAULT.startDelay(Duration.ofHours(1));
            DagRun run = story.dags().start("d", "later", later, null);
            assertThat(run.state().dag()).isEmpty();
            assertThat(run.toMermaid()).startsWith("flowchart");
        });
    }
}
