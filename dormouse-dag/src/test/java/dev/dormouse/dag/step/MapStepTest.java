package dev.dormouse.dag.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.Activity;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagBuilder;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.support.DagScenario;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Map steps, which process each item of an array. */
class MapStepTest {
    private static DagBuilder doubling() {
        return Dag.workflow("m").map("each", "double", "$.input.numbers");
    }

    @Test
    void outputsAreInTheOrderOfTheItems() {
        DagScenario.play(doubling().build(), scenario -> {
            List<Integer> numbers = IntStream.range(0, 50).boxed().toList();
            assertThat(DagScenario.result(scenario.start("m", Map.of("numbers", numbers))))
                    .isEqualTo(Map.of(
                            "each", numbers.stream().map(number -> 2 * number).toList()));
        });
    }

    @Test
    void noItemsGiveNoOutputs() {
        DagScenario.play(doubling().build(), scenario -> {
            assertThat(DagScenario.result(scenario.start("m", Map.of("numbers", List.of()))))
                    .isEqualTo(Map.of("each", List.of()));
        });
    }

    @Test
    void itemAndIndexCanBeUsed() {
        Dag dag = Dag.workflow("m")
                .map("each", "echo", "$.input")
                .input(Map.of("at", "$.index", "is", "$.item.name", "of", "$.run.workflowId"))
                .build();
        DagScenario.play(dag, scenario -> {
            assertThat(DagScenario.result(scenario.start("m", List.of(Map.of("name", "a"), Map.of("name", "b")))))
                    .isEqualTo(Map.of(
                            "each",
                            List.of(Map.of("at", 0, "is", "a", "of", "m-1"), Map.of("at", 1, "is", "b", "of", "m-1"))));
        });
    }

    @Test
    void parallelismIsNotExceeded() {
        AtomicInteger working = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Dag dag =
                Dag.workflow("m").map("each", "work", "$.input").parallelism(3).build();
        try (DagScenario scenario = DagScenario.with(
                builder -> builder.activity("work", Integer.class, Integer.class, number -> {
                    if (Activity.lastCheckpoint(Integer.class).isEmpty()) {
                        most.accumulateAndGet(working.incrementAndGet(), Math::max);
                        Activity.checkpoint(1);
                        return Activity.pause("a second", Duration.ofSeconds(1));
                    }
                    working.decrementAndGet();
                    return number;
                }),
                dag)) {
            DagScenario.result(
                    scenario.start("m", IntStream.range(0, 10).boxed().toList()));
            assertThat(most).hasValue(3);
            assertThat(scenario.test().elapsed()).isEqualTo(Duration.ofSeconds(4));
        }
    }

    @Test
    void oneItemThatFailsFailsTheStepAndNoOtherBegins() {
        Dag dag =
                Dag.workflow("m").map("each", "picky", "$.input").parallelism(1).build();
        AtomicInteger calls = new AtomicInteger();
        try (DagScenario scenario = DagScenario.with(
                builder -> builder.activity("picky", Integer.class, Integer.class, number -> {
                    calls.incrementAndGet();
                    if (number == 3) {
                        throw new IllegalArgumentException("not three");
                    }
                    return number;
                }),
                dag)) {
            DagRun run = scenario.start("m", List.of(1, 2, 3, 4, 5));
            assertThatThrownBy(() -> DagScenario.result(run))
                    .hasMessageContaining("step 'each' failed")
                    .hasMessageContaining("each[2]")
                    .hasMessageContaining("not three");
            assertThat(calls).hasValue(3);
        }
    }

    @Test
    void wrongItemsFailTheStep() {
        DagScenario.play(doubling().limit(3).build(), scenario -> {
            assertThatThrownBy(() -> DagScenario.result(
                            scenario.dags().start("m", "many", Map.of("numbers", List.of(1, 2, 3, 4)))))
                    .hasMessageContaining("at most 3 items");
            assertThatThrownBy(() -> DagScenario.result(scenario.dags().start("m", "none", Map.of("numbers", 5))))
                    .hasMessageContaining("Expected an array at $.input.numbers")
                    .hasMessageContaining("the number 5");
            assertThatThrownBy(() -> DagScenario.result(scenario.dags().start("m", "missing", Map.of())))
                    .hasMessageContaining("no 'numbers'");
        });
    }

    @Test
    void itemsResumeAfterACrash() {
        AtomicInteger calls = new AtomicInteger();
        Dag dag =
                Dag.workflow("m").map("each", "work", "$.input").parallelism(2).build();
        try (DagScenario scenario = DagScenario.with(
                builder -> builder.activity("work", Integer.class, Integer.class, number -> {
                    if (Activity.lastCheckpoint(Integer.class).isEmpty()) {
                        Activity.checkpoint(1);
                        return Activity.pause("a while", Duration.ofMinutes(1));
                    }
                    calls.incrementAndGet();
                    return number;
                }),
                dag)) {
            scenario.start("m", List.of(1, 2, 3, 4, 5, 6));
            scenario.advance(Duration.ofSeconds(90));
            scenario.crash();
            assertThat(DagScenario.result(scenario.find("m-1"))).isEqualTo(Map.of("each", List.of(1, 2, 3, 4, 5, 6)));
            assertThat(calls).hasValue(6);
        }
    }

    @Test
    void timedOutStepFails() {
        Dag dag = Dag.workflow("m")
                .map("each", "work", "$.input")
                .timeout(Duration.ofSeconds(10))
                .build();
        try (DagScenario scenario = DagScenario.with(
                builder -> builder.activity(
                        "work", Integer.class, Integer.class, number -> Activity.pause("long", Duration.ofHours(1))),
                dag)) {
            DagRun run = scenario.start("m", List.of(1, 2));
            assertThatThrownBy(() -> DagScenario.result(run)).hasMessageContaining("within PT10S");
            assertThat(scenario.test().elapsed()).isEqualTo(Duration.ofSeconds(10));
        }
    }
}
