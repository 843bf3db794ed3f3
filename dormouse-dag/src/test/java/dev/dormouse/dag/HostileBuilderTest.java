package dev.dormouse.dag;

import dev.dormouse.dag.data.Condition;
import dev.dormouse.error.ErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Defects: what a builder takes, or how it says no. */
class HostileBuilderTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void afterOfNullIsRefusedInASentence() {
        Sentence.refused(
                ErrorCode.BAD_DAG, () -> Dag.workflow("d").task("a", "x").after((String[]) null));
    }

    @Test
    void dagsOfNullAreRefusedInASentence() {
        Sentence.refused("null", () -> Dags.of((Dag[]) null));
        Sentence.refused("a null", () -> Dags.of((Dag) null));
    }

    @Test
    void activityThatAsksHasAName() {
        for (String bad : List.of("", " ", "x".repeat(201))) {
            Sentence.refused(
                    ErrorCode.BAD_DAG,
                    () -> Dag.workflow("d").approval("a", SECOND).ask(bad).build());
        }
    }

    @Test
    void pathsIntoEventsAreChecked() {
        for (String bad : List.of("", "a..b", "a[", "a[x]", "a[-1]", ".", "a.", "$")) {
            Sentence.refused(
                    ErrorCode.BAD_DAG,
                    () -> Dag.workflow("d")
                            .waitForEvent("a", "e", Map.of(bad, 1), SECOND)
                            .build());
            Sentence.refused(
                    ErrorCode.BAD_DAG,
                    () -> Dag.workflow("d")
                            .cancelOn("e", Map.of(bad, 1))
                            .task("a", "x")
                            .build());
        }
    }

    @Test
    void runHasAnIdAndAWorkflowIdAndNothingElse() {
        Sentence.refused(
                ErrorCode.BAD_DAG,
                () -> Dag.workflow("d").task("a", "x").input("$.run.nothing").build());
    }

    @Test
    void numbersThatJsonDoesNotHaveAreRefused() {
        for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
            Sentence.refused(
                    ErrorCode.BAD_DAG,
                    () -> Dag.workflow("d")
                            .task("a", "x")
                            .skipIf(Condition.at("$.input").isAbove(bad))
                            .build());
            Sentence.refused(
                    ErrorCode.BAD_DAG,
                    () -> Dag.workflow("d").task("a", "x").input(bad).build());
        }
    }
}
