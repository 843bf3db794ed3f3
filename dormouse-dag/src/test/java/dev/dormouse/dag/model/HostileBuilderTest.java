package dev.dormouse.dag.model;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.Dags;
import dev.dormouse.dag.data.Condition;
import dev.dormouse.dag.support.RefusalAssertions;
import dev.dormouse.error.ErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Regression tests of arguments that a builder accepted, or refused in the wrong way. */
class HostileBuilderTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void afterNullIsRefused() {
        RefusalAssertions.refused(
                ErrorCode.BAD_DAG, () -> Dag.workflow("d").task("a", "x").after((String[]) null));
    }

    @Test
    void dagsOfNullAreRefused() {
        RefusalAssertions.refused("null", () -> Dags.of((Dag[]) null));
        RefusalAssertions.refused("a null", () -> Dags.of((Dag) null));
    }

    @Test
    void activityThatAsksHasAName() {
        for (String bad : List.of("", " ", "x".repeat(201))) {
            RefusalAssertions.refused(
                    ErrorCode.BAD_DAG,
                    () -> Dag.workflow("d").approval("a", SECOND).ask(bad).build());
        }
    }

    @Test
    void pathsIntoEventsAreChecked() {
        for (String bad : List.of("", "a..b", "a[", "a[x]", "a[-1]", ".", "a.", "$")) {
            RefusalAssertions.refused(
                    ErrorCode.BAD_DAG,
                    () -> Dag.workflow("d")
                            .waitForEvent("a", "e", Map.of(bad, 1), SECOND)
                            .build());
            RefusalAssertions.refused(
                    ErrorCode.BAD_DAG,
                    () -> Dag.workflow("d")
                            .cancelOn("e", Map.of(bad, 1))
                            .task("a", "x")
                            .build());
        }
    }

    @Test
    void runHasAnIdAndAWorkflowIdAndNothingElse() {
        RefusalAssertions.refused(
                ErrorCode.BAD_DAG,
                () -> Dag.workflow("d").task("a", "x").input("$.run.nothing").build());
    }

    @Test
    void numbersThatJsonDoesNotHaveAreRefused() {
        for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
            RefusalAssertions.refused(
                    ErrorCode.BAD_DAG,
                    () -> Dag.workflow("d")
                            .task("a", "x")
                            .skipIf(Condition.at("$.input").isAbove(bad))
                            .build());
            RefusalAssertions.refused(
                    ErrorCode.BAD_DAG,
                    () -> Dag.workflow("d").task("a", "x").input(bad).build());
        }
    }
}
