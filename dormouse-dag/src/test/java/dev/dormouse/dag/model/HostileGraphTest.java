package dev.dormouse.dag.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagBuilder;
import dev.dormouse.dag.support.RefusalAssertions;
import dev.dormouse.error.ErrorCode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Graphs that cannot be executed, and large ones that can. */
class HostileGraphTest {

    /** Each text is a step and its predecessors: "b a c". */
    private static Dag graph(String... steps) {
        DagBuilder builder = Dag.workflow("d");
        for (String step : steps) {
            List<String> ids = new ArrayList<>(List.of(step.split(" ")));
            builder.task(ids.remove(0), "x");
            if (!ids.isEmpty()) {
                builder.after(ids.toArray(String[]::new));
            }
        }
        return builder.build();
    }

    private static String refused(String... steps) {
        return RefusalAssertions.refused(ErrorCode.BAD_DAG, () -> graph(steps)).getMessage();
    }

    @Test
    void cyclesOfAllShapesAreRefusedByName() {
        assertThat(refused("a a")).contains("'a'");
        assertThat(refused("a b", "b a")).contains("a → b");
        assertThat(refused("a c", "b a", "c b")).contains("a → b → c");
        assertThat(refused("start", "a start b", "b a", "end b"))
                .contains("a → b")
                .doesNotContain("start");
        assertThat(refused("a b", "b a", "c d", "d c")).containsAnyOf("a → b", "c → d");
        assertThat(refused("a b c", "b a", "c a")).containsAnyOf("a → b", "a → c");
        assertThat(refused("a d", "b a", "c a", "d b c")).containsAnyOf("a → b → d", "a → c → d");
        assertThat(refused("ok", "self self ok")).contains("'self'");
    }

    @Test
    void manyCyclesAreRefusedInAShortSentence() {
        String[] steps = IntStream.range(0, 5_000)
                .mapToObj(i -> "s" + i + " s" + (i ^ 1))
                .toArray(String[]::new);
        assertThat(refused(steps)).hasSizeLessThan(5_000);
    }

    @Test
    void cyclesByDataAreRefused() {
        RefusalAssertions.refused(
                ErrorCode.BAD_DAG,
                () -> Dag.workflow("d")
                        .task("a", "x")
                        .input("$.steps.b")
                        .task("b", "x")
                        .after("a")
                        .build());
        RefusalAssertions.refused(
                ErrorCode.BAD_DAG,
                () -> Dag.workflow("d")
                        .task("a", "x")
                        .onFailure("b")
                        .task("b", "x")
                        .onFailure("a")
                        .build());
        RefusalAssertions.refused(
                ErrorCode.BAD_DAG,
                () -> Dag.workflow("d").task("a", "x").compensate("a").build());
    }

    @Test
    void randomGraphsAreBuiltExactlyIfTheyHaveNoCycle() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            int number = 2 + random.nextInt(15);
            boolean forward = random.nextBoolean();
            List<String> steps = new ArrayList<>();
            for (int i = 0; i < number; i++) {
                StringBuilder step = new StringBuilder("s" + i);
                for (int j = 0; j < number; j++) {
                    if (j != i && random.nextInt(8) == 0 && (j < i || !forward)) {
                        step.append(" s").append(j);
                    }
                }
                steps.add(step.toString());
            }
            boolean back = hasCycle(steps);
            Collections.shuffle(steps, random);
            String[] all = steps.toArray(String[]::new);
            if (back) {
                refused(all);
            } else {
                Dag dag = graph(all);
                assertThat(Dag.fromJson(dag.toJson())).isEqualTo(dag);
            }
        }
    }

    private static boolean hasCycle(List<String> steps) {
        List<List<String>> left = new ArrayList<>();
        steps.forEach(step -> left.add(new ArrayList<>(List.of(step.split(" ")))));
        boolean goesOn = true;
        while (goesOn) {
            List<String> done = left.stream()
                    .filter(step -> step.size() == 1)
                    .map(step -> step.get(0))
                    .toList();
            left.removeIf(step -> step.size() == 1);
            left.forEach(step -> step.subList(1, step.size()).removeAll(done));
            goesOn = !done.isEmpty();
        }
        return !left.isEmpty();
    }

    @Test
    void idsThatDifferInCaseAreDifferent() {
        Dag dag = graph("a", "A a", "aA A a");
        assertThat(Dag.fromJson(dag.toJson())).isEqualTo(dag);
    }

    @Test
    void orderOfStepsDoesNotMatter() {
        graph("c b", "b a", "a");
    }

    private static Dag large(String what, Supplier<Dag> make) {
        long begin = System.nanoTime();
        Dag dag = make.get();
        long built = System.nanoTime();
        assertThat(Dag.fromJson(dag.toJson())).isEqualTo(dag);
        long read = System.nanoTime();
        assertThat(dag.toMermaid()).isNotEmpty();
        long drawn = System.nanoTime();
        System.out.printf(
                "%s: built in %d ms, written and read in %d ms, drawn in %d ms%n",
                what, (built - begin) / 1_000_000, (read - built) / 1_000_000, (drawn - read) / 1_000_000);
        return dag;
    }

    @Test
    void tenThousandStepsCanBeBuilt() {
        int number = 10_000;
        large(
                "chain",
                () -> graph(IntStream.range(0, number)
                        .mapToObj(i -> i == 0 ? "s0" : "s" + i + " s" + (i - 1))
                        .toArray(String[]::new)));
        large(
                "backward chain",
                () -> graph(IntStream.range(0, number)
                        .mapToObj(i -> i == number - 1 ? "s" + i : "s" + i + " s" + (i + 1))
                        .toArray(String[]::new)));
        large(
                "fan-out",
                () -> graph(IntStream.range(0, number)
                        .mapToObj(i -> i == 0 ? "s0" : "s" + i + " s0")
                        .toArray(String[]::new)));
        large(
                "fan-in",
                () -> graph(IntStream.range(0, number)
                        .mapToObj(i -> i < number - 1
                                ? "s" + i
                                : "s" + i + " "
                                        + String.join(
                                                " ",
                                                IntStream.range(0, i)
                                                        .mapToObj(j -> "s" + j)
                                                        .toList()))
                        .toArray(String[]::new)));
        large(
                "layers",
                () -> graph(IntStream.range(0, 2_000)
                        .mapToObj(i -> "s" + i
                                + (i < 50
                                        ? ""
                                        : IntStream.range(0, 50)
                                                .mapToObj(j -> " s" + (i / 50 * 50 - 50 + j))
                                                .reduce("", String::concat)))
                        .toArray(String[]::new)));
    }

    @Test
    void chainOfTenThousandStepsThatLookAtTheFirstCanBeBuilt() {
        large("chain with data", () -> {
            DagBuilder builder = Dag.workflow("d").task("s0", "x");
            for (int i = 1; i < 10_000; i++) {
                builder.task("s" + i, "x").after("s" + (i - 1)).input("$.steps.s0");
            }
            return builder.build();
        });
    }

    @Test
    void tenThousandAndOneStepsAreRefused() {
        String[] steps = IntStream.range(0, 10_001).mapToObj(i -> "s" + i).toArray(String[]::new);
        assertThat(refused(steps)).contains("10");
    }
}
