package dev.dormouse.dag.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Activity;
import dev.dormouse.RetryPolicy;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagBuilder;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.support.DagScenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Limits on concurrent or periodic executions of a step or a DAG. */
class LimitsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static List<String> startAndWait(DagScenario scenario, int runs, List<?> inputs) {
        List<DagRun> started = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            started.add(scenario.dags().start("d", "d-" + i, inputs.get(i % inputs.size())));
        }
        started.forEach(DagScenario::result);
        return scenario.log().stream().sorted().toList();
    }

    @Test
    void fiveRunsWithALimitOfTwoPerSecondBeginWhenTheyMay() {
        Dag dag = Dag.workflow("d")
                .task("call", "log")
                .input("x")
                .rateLimit(2, SECOND)
                .build();
        DagScenario.play(dag, scenario -> {
            assertThat(startAndWait(scenario, 5, List.of(Map.of())))
                    .containsExactlyInAnyOrder("0 x", "500 x", "1000 x", "1500 x", "2000 x");
        });
    }

    @Test
    void eachKeyHasALimitOfItsOwn() {
        Dag dag = Dag.workflow("d")
                .task("call", "log")
                .input("$.input.tenant")
                .rateLimit(1, SECOND, "$.input.tenant")
                .build();
        DagScenario.play(dag, scenario -> {
            assertThat(startAndWait(scenario, 4, List.of(Map.of("tenant", "a"), Map.of("tenant", "b"))))
                    .containsExactlyInAnyOrder("0 a", "0 b", "1000 a", "1000 b");
        });
    }

    /** Creates a scenario with an activity that takes a second, during which others may begin. */
    private static DagScenario working(Dag dag, AtomicInteger most) {
        AtomicInteger working = new AtomicInteger();
        AtomicReference<DagScenario> scenario = new AtomicReference<>();
        scenario.set(DagScenario.with(
                builder -> builder.activity("work", Object.class, Object.class, input -> {
                    most.accumulateAndGet(working.incrementAndGet(), Math::max);
                    scenario.get().advance(SECOND);
                    working.decrementAndGet();
                    return Map.of();
                }),
                dag));
        return scenario.get();
    }

    private static int mostAtATime(Dag dag) {
        AtomicInteger most = new AtomicInteger();
        try (DagScenario scenario = working(dag, most)) {
            startAndWait(scenario, 8, List.of(Map.of()));
        }
        return most.get();
    }

    @Test
    void concurrencyOfAStepIsNotExceeded() {
        assertThat(mostAtATime(Dag.workflow("d").task("call", "work").build())).isEqualTo(8);
        assertThat(mostAtATime(
                        Dag.workflow("d").task("call", "work").concurrency(3).build()))
                .isEqualTo(3);
    }

    @Test
    void itemsOfAMapKeepTheLimitToo() {
        Dag dag = Dag.workflow("d")
                .map("call", "log", "$.input")
                .rateLimit(1, SECOND)
                .build();
        DagScenario.play(dag, scenario -> {
            DagScenario.result(scenario.start("d", List.of("a", "b", "c")));
            assertThat(scenario.log().stream().map(line -> line.replaceAll(" .*", "")))
                    .containsExactly("0", "1000", "2000");
        });
    }

    @Test
    void runLimitIsNotExceeded() {
        DagBuilder dag = Dag.workflow("d")
                .runLimit(2)
                .task("call", "work")
                .task("more", "work")
                .after("call");
        assertThat(mostAtATime(dag.build())).isEqualTo(2);
    }

    @Test
    void limitedStepResumesAfterARestartAlthoughNoRunIsReplayed() {
        Dag dag = Dag.workflow("d")
                .task("call", "log")
                .input("x")
                .rateLimit(1, Duration.ofHours(1))
                .build();
        DagScenario.play(dag, scenario -> {
            scenario.dags().start("d", "one", null);
            scenario.dags().start("d", "two", null);
            scenario.advance(SECOND);
            scenario.crash();
            DagScenario.result(scenario.find("two"));
            DagScenario.result(scenario.find("one"));
            assertThat(scenario.log()).containsExactly("0 x", "3600000 x");
        });
    }

    @Test
    void limitedStepThatFailsReportsItsFailure() {
        Dag dag = Dag.workflow("d")
                .task("call", "flaky")
                .concurrency(1)
                .retry(RetryPolicy.DEFAULT.withMaxAttempts(2))
                .build();
        try (DagScenario scenario = DagScenario.with(
                builder -> builder.activity("flaky", Object.class, Object.class, input -> {
                    if (Activity.info().attempt() < 2) {
                        throw new IllegalStateException("not yet");
                    }
                    return "ok";
                }),
                dag)) {
            assertThat(DagScenario.result(scenario.start("d", null))).isEqualTo(Map.of("call", "ok"));
        }
    }
}
