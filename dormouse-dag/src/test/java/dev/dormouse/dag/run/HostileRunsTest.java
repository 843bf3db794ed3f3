package dev.dormouse.dag.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.DormouseBuilder;
import dev.dormouse.TypeRef;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.DagState;
import dev.dormouse.dag.DagState.StepState;
import dev.dormouse.dag.model.StepStatus;
import dev.dormouse.dag.support.DagScenario;
import dev.dormouse.dag.support.RandomDagRun;
import dev.dormouse.inspect.RunStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random DAGs, executed with and without crashes, compared with their expected outcome. */
class HostileRunsTest {

    private static final TypeRef<Map<String, Object>> DATA = new TypeRef<>() {};

    static LongStream seeds() {
        return LongStream.range(0, 40);
    }

    /** The outcome of a run. */
    private record End(RunStatus status, String result, DagState state, List<String> log) {}

    private static End play(RandomDagRun run, Random crashes) {
        List<String> log = Collections.synchronizedList(new ArrayList<>());
        AtomicReference<DagScenario> self = new AtomicReference<>();
        try (DagScenario scenario = DagScenario.with(builder -> activities(builder, log, self), run.dag())) {
            self.set(scenario);
            scenario.dags().start("d", "run", RandomDagRun.input());
            for (int i = 0; i < 2_000 && isOpen(scenario); i++) {
                scenario.advance(Duration.ofMillis(crashes == null ? 5_000 : crashes.nextInt(10_000)));
                scenario.dormouse().publish("ev", Map.of("k", "yes"));
                if (crashes != null && crashes.nextInt(3) == 0) {
                    scenario.crash();
                }
            }
            DagRun found = scenario.find("run");
            Object[] result = new Object[1];
            Throwable failure = catchThrowable(() -> result[0] = found.result(Duration.ofSeconds(1)));
            RunStatus status = found.handle().describe().status();
            String text = failure == null ? "" : failure.getMessage().replaceAll("[0-9a-f-]{36}", "ID");
            String outcome = failure == null ? String.valueOf(result[0]) : text;
            return new End(status, outcome.replaceAll("wokeAt=[^}]*", "wokeAt"), found.state(), List.copyOf(log));
        }
    }

    private static boolean isOpen(DagScenario scenario) {
        return !scenario.find("run").handle().describe().status().isClosed();
    }

    private static DormouseBuilder activities(
            DormouseBuilder builder, List<String> log, AtomicReference<DagScenario> scenario) {
        return builder.activity("work", DATA, DATA, input -> work(input, log, scenario.get()))
                .activity("break", DATA, DATA, input -> {
                    work(input, log, scenario.get());
                    throw new IllegalStateException("broken");
                });
    }

    private static Map<String, Object> work(Map<?, ?> input, List<String> log, DagScenario scenario) {
        String id = input.get("id") + (input.containsKey("item") ? "#" + input.get("item") : "");
        log.add("begin " + id);
        int time = (Integer) input.get("time");
        if (time > 0) {
            scenario.test().advance(Duration.ofMillis(time));
        }
        log.add("end " + id);
        return Map.of("id", id);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void runsHaveTheOutcomeOfTheirDefinition(long seed) {
        RandomDagRun run = new RandomDagRun(seed);
        End calm = play(run, null);
        verify(run, calm);
        verifyCounts(run, calm);
        verifyUndoing(run, calm);
        End rough = play(run, new Random(seed));
        verify(run, rough);
        assertThat(rough.result).isEqualTo(calm.result);
        assertThat(statuses(rough)).isEqualTo(statuses(calm));
    }

    private static Map<String, StepStatus> statuses(End end) {
        Map<String, StepStatus> statuses = new TreeMap<>();
        end.state.steps().forEach(step -> statuses.put(step.id(), step.status()));
        return statuses;
    }

    private static void verify(RandomDagRun run, End end) {
        assertThat(end.status).isEqualTo(run.fails() ? RunStatus.FAILED : RunStatus.COMPLETED);
        run.expected().forEach((id, status) -> {
            boolean undone =
                    run.fails() && status == StepStatus.COMPLETED && run.undo().containsKey(id);
            StepState step = end.state.step(id);
            assertThat(step.status()).as(id).isEqualTo(undone ? StepStatus.COMPENSATED : status);
            assertThat(step.wakeAt()).as(id).isEmpty();
            for (String before : run.after(id)) {
                if (step.startedAt().isPresent()
                        && end.state.step(before).endedAt().isPresent()
                        && end.state.step(before).status() != StepStatus.COMPENSATED) {
                    assertThat(step.startedAt().get())
                            .isAfterOrEqualTo(end.state.step(before).endedAt().get());
                }
                verifyOrder(end.log, before, id);
            }
        });
    }

    /** Asserts that no attempt of a step begins before its predecessors have ended. */
    private static void verifyOrder(List<String> log, String before, String id) {
        int begin = first(log, "begin " + id);
        int ended = Math.max(first(log, "end " + before), first(log, "end " + before + "#4"));
        if (begin >= 0 && first(log, "begin " + before) >= 0) {
            assertThat(ended).as("%s before %s in %s", before, id, log).isBetween(0, begin);
        }
    }

    private static int first(List<String> log, String text) {
        for (int i = 0; i < log.size(); i++) {
            if (log.get(i).equals(text) || log.get(i).startsWith(text + "#")) {
                return i;
            }
        }
        return -1;
    }

    private static void verifyCounts(RandomDagRun run, End end) {
        run.expected().forEach((id, status) -> {
            long begun =
                    end.log.stream().filter(line -> line.equals("begin " + id)).count();
            long items = end.log.stream()
                    .filter(line -> line.startsWith("begin " + id + "#"))
                    .count();
            String kind = end.state.step(id).kind();
            boolean called = status != StepStatus.SKIPPED;
            assertThat(begun).as(id + " in " + end.log).isEqualTo(called && kind.equals("task") ? 1 : 0);
            assertThat(items).as(id + " in " + end.log).isEqualTo(called && kind.equals("map") ? 5 : 0);
            long handled = end.log.stream()
                    .filter(line -> line.equals("begin h-" + id))
                    .count();
            assertThat(handled).as(id).isEqualTo(status == StepStatus.HANDLED ? 1 : 0);
        });
    }

    private static void verifyUndoing(RandomDagRun run, End end) {
        run.undo().forEach((id, undo) -> {
            boolean undone = run.fails() && run.expected().get(id) == StepStatus.COMPLETED;
            assertThat(end.log.stream()
                            .filter(line -> line.equals("begin " + undo))
                            .count())
                    .as(undo)
                    .isEqualTo(undone ? 1 : 0);
        });
        List<String> undoing = end.log.stream()
                .filter(line -> line.startsWith("begin u-"))
                .map(line -> line.substring(8))
                .toList();
        for (int i = 0; i < undoing.size(); i++) {
            for (String later : undoing.subList(i + 1, undoing.size())) {
                String earlier = undoing.get(i);
                assertThat(run.after(later)).as("undoing %s", undoing).doesNotContain(earlier);
                int one = end.log.indexOf("end " + earlier);
                int two = end.log.indexOf("end " + later);
                if (one >= 0 && two >= 0) {
                    assertThat(one)
                            .as("%s before %s in %s", earlier, later, end.log)
                            .isGreaterThan(two);
                }
            }
        }
    }
}
