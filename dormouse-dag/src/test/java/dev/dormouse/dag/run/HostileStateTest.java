package dev.dormouse.dag.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.StartOptions;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.DagState.StepState;
import dev.dormouse.dag.support.DagScenario;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Regression tests of the state of closed runs, in which no step may be pending or waiting. */
class HostileStateTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static void allAreOver(DagRun run) {
        assertThat(run.handle().describe().status().isClosed()).isTrue();
        assertThat(run.state().steps())
                .allMatch((StepState step) -> step.status().isOver());
    }

    @Test
    void nothingIsPendingInACancelledRun() {
        Dag dag = Dag.workflow("d")
                .sleep("a", Duration.ofDays(1))
                .task("b", "log")
                .after("a")
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", null);
            scenario.advance(SECOND);
            run.handle().cancel("enough");
            scenario.advance(SECOND);
            allAreOver(run);
        });
    }

    @Test
    void nothingIsPendingInATimedOutRun() {
        Dag dag = Dag.workflow("d")
                .sleep("a", Duration.ofDays(1))
                .task("b", "log")
                .after("a")
                .runTimeout(SECOND)
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", null);
            scenario.advance(SECOND.multipliedBy(2));
            allAreOver(run);
        });
    }

    @Test
    void nothingSleepsInATerminatedRun() {
        Dag dag = Dag.workflow("d").sleep("a", Duration.ofDays(1)).build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", null);
            scenario.advance(SECOND);
            run.handle().terminate("enough");
            scenario.advance(SECOND);
            allAreOver(run);
        });
    }

    @Test
    void unusedOnFailureAndCompensateStepsAreNotPending() {
        Dag dag = Dag.workflow("d")
                .task("a", "log")
                .onFailure("h")
                .task("h", "log")
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", null);
            DagScenario.result(run);
            allAreOver(run);
        });
    }

    @Test
    void terminatedRunHasNoPendingApprovals() {
        Dag dag = Dag.workflow("d").approval("a", Duration.ofDays(1)).build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", null);
            scenario.advance(SECOND);
            run.handle().terminate("enough");
            scenario.advance(SECOND);
            assertThat(run.approvals()).isEmpty();
        });
    }

    /** The name in its state is empty then, and toMermaid must not depend on it. */
    @Test
    void runThatHasNotBegunHasAFlowchart() {
        Dag dag = Dag.workflow("d").task("a", "log").build();
        DagScenario.play(dag, scenario -> {
            StartOptions later = StartOptions.DEFAULT.withStartDelay(Duration.ofHours(1));
            DagRun run = scenario.dags().start("d", "later", later, null);
            assertThat(run.state().dag()).isEmpty();
            assertThat(run.toMermaid()).startsWith("flowchart");
        });
    }
}
