package dev.dormouse.dag.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagBuilder;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.model.StepStatus;
import dev.dormouse.dag.support.DagScenario;
import dev.dormouse.inspect.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The compensations of a run that cannot continue, and their order. */
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

    private static List<String> names(DagScenario scenario) {
        return scenario.log().stream()
                .map(line -> line.replaceAll("^\\d+ ", ""))
                .toList();
    }

    @Test
    void stepsAreCompensatedInReverseTopologicalOrder() {
        DagScenario.play(diamond("fail").build(), scenario -> {
            DagRun run = scenario.start("d", null);
            assertThatThrownBy(() -> DagScenario.result(run)).hasMessageContaining("step 'd' failed");
            List<String> log = names(scenario);
            assertThat(log).hasSize(6).startsWith("a").endsWith("undo a");
            assertThat(log.subList(3, 5)).containsExactlyInAnyOrder("undo b", "undo c");
            assertThat(log.indexOf("undo b") < log.indexOf("undo c")).isEqualTo(log.indexOf("b") > log.indexOf("c"));
            assertThat(run.state().step("a").status()).isEqualTo(StepStatus.COMPENSATED);
            assertThat(run.state().step("undo-a").status()).isEqualTo(StepStatus.COMPLETED);
        });
    }

    @Test
    void nothingIsCompensatedWhenTheRunSucceeds() {
        DagScenario.play(diamond("log").build(), scenario -> {
            DagScenario.result(scenario.start("d", null));
            assertThat(names(scenario)).noneMatch(line -> line.startsWith("undo"));
        });
    }

    @Test
    void onlyCompletedStepsAreCompensated() {
        Dag dag = undone("a")
                .task("b", "fail")
                .after("a")
                .compensate("undo-b")
                .task("undo-b", "log")
                .input("undo b")
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", null);
            assertThatThrownBy(() -> DagScenario.result(run)).hasMessageContaining("step 'b' failed");
            assertThat(names(scenario)).containsExactly("a", "undo a");
        });
    }

    @Test
    void compensationGetsTheOutputOfItsStep() {
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
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", Map.of("id", 7));
            assertThatThrownBy(() -> DagScenario.result(run)).hasMessageContaining("step 'bad' failed");
            assertThat(names(scenario)).containsExactly("{input={id=7}, steps={hotel={id=8}}}", "{booking=7}");
        });
    }

    @Test
    void cancelledRunIsCompensated() {
        Dag dag = undone("a").sleep("long", Duration.ofDays(1)).after("a").build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", null);
            scenario.advance(SECOND);
            run.handle().cancel("enough");
            scenario.advance(SECOND);
            assertThat(run.handle().describe().status()).isEqualTo(RunStatus.CANCELLED);
            assertThat(names(scenario)).containsExactly("a", "undo a");
            assertThat(run.state().step("long").status()).isEqualTo(StepStatus.CANCELLED);
        });
    }

    @Test
    void timedOutRunIsCompensatedAndFails() {
        Dag dag = undone("a")
                .sleep("long", Duration.ofDays(1))
                .after("a")
                .sleep("other", Duration.ofDays(2))
                .after("a")
                .runTimeout(Duration.ofHours(1))
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", null);
            assertThatThrownBy(() -> DagScenario.result(run))
                    .hasMessageContaining("DM3025")
                    .hasMessageContaining("within PT1H")
                    .hasMessageContaining("'long', 'other'");
            assertThat(scenario.test().elapsed()).isEqualTo(Duration.ofHours(1));
            assertThat(names(scenario)).containsExactly("a", "undo a");
        });
    }

    @Test
    void compensationResumesAfterACrash() {
        Dag dag = undone("a").sleep("long", Duration.ofDays(1)).after("a").build();
        DagScenario.play(dag, scenario -> {
            scenario.start("d", null);
            scenario.advance(SECOND);
            scenario.find("d-1").handle().cancel("enough");
            scenario.crash();
            scenario.advance(SECOND);
            assertThat(scenario.find("d-1").handle().describe().status()).isEqualTo(RunStatus.CANCELLED);
            assertThat(names(scenario)).startsWith("a").endsWith("undo a");
        });
    }

    @Test
    void failedCompensationDoesNotPreventTheOthers() {
        Dag dag = undone("a")
                .task("b", "log")
                .input("b")
                .after("a")
                .compensate("undo-b")
                .task("undo-b", "fail")
                .task("bad", "fail")
                .after("b")
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", null);
            assertThatThrownBy(() -> DagScenario.result(run)).hasMessageContaining("step 'bad' failed");
            assertThat(names(scenario)).containsExactly("a", "b", "undo a");
            assertThat(run.state().step("undo-b").status()).isEqualTo(StepStatus.FAILED);
            assertThat(run.state().step("b").status()).isEqualTo(StepStatus.COMPLETED);
        });
    }
}
