package dev.dormouse.dag.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.DormouseBuilder;
import dev.dormouse.TypeRef;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.DagState;
import dev.dormouse.dag.model.StepStatus;
import dev.dormouse.dag.support.DagScenario;
import dev.dormouse.dag.support.RandomDagRun;
import dev.dormouse.dag.support.RefusalAssertions;
import dev.dormouse.inspect.RunStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs that are cancelled or time out at any moment, even while the process dies. */
class HostileCancelsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static final TypeRef<Map<String, Object>> DATA = new TypeRef<>() {};

    static LongStream seeds() {
        return LongStream.range(0, 30);
    }

    private static DormouseBuilder activities(
            DormouseBuilder builder, List<String> log, AtomicReference<DagScenario> scenario) {
        return builder.activity("work", DATA, DATA, input -> {
                    log.add("begin " + input.get("id"));
                    int time = (Integer) input.get("time");
                    if (time > 0) {
                        scenario.get().test().advance(Duration.ofMillis(time));
                    }
                    log.add("end " + input.get("id"));
                    return input;
                })
                .activity("break", DATA, DATA, input -> {
                    throw new IllegalStateException("broken");
                });
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void runsCancelledAtAnyMomentEndAndAreCompensated(long seed) {
        RandomDagRun definition = new RandomDagRun(seed);
        Random random = new Random(seed);
        List<String> log = Collections.synchronizedList(new ArrayList<>());
        AtomicReference<DagScenario> self = new AtomicReference<>();
        try (DagScenario scenario = DagScenario.with(builder -> activities(builder, log, self), definition.dag())) {
            self.set(scenario);
            scenario.dags().start("d", "run", RandomDagRun.input());
            scenario.advance(Duration.ofMillis(random.nextInt(20_000)));
            RefusalAssertions.succeedsOrIsRefused(
                    "cancel", () -> scenario.find("run").handle().cancel("enough"));
            for (int i = 0; i < 5; i++) {
                if (random.nextBoolean()) {
                    scenario.crash();
                }
                scenario.advance(Duration.ofMillis(random.nextInt(4_000)));
            }
            scenario.advance(Duration.ofMinutes(5));
            verify(definition, scenario, log);
        }
    }

    private static void verify(RandomDagRun definition, DagScenario scenario, List<String> log) {
        DagRun run = scenario.find("run");
        RunStatus status = run.handle().describe().status();
        assertThat(status).isIn(RunStatus.CANCELLED, RunStatus.COMPLETED, RunStatus.FAILED);
        for (DagState.StepState step : run.state().steps()) {
            // not begun: see HostileStateTest
            assertThat(step.status() == StepStatus.PENDING || step.status().isOver())
                    .as("%s of a run that is %s", step, status)
                    .isTrue();
            assertThat(step.wakeAt()).as("%s", step).isEmpty();
            String undo = definition.undo().get(step.id());
            if (undo != null && status != RunStatus.COMPLETED) {
                assertThat(step.status()).as("%s", step).isNotEqualTo(StepStatus.COMPLETED);
                assertThat(log.contains("end " + undo))
                        .as("%s", step)
                        .isEqualTo(step.status() == StepStatus.COMPENSATED);
            }
        }
        assertThat(run.toMermaid()).startsWith("flowchart");
        assertThat(run.approvals()).isEmpty();
    }

    @Test
    void runTimesOutAtTheExactInstant() {
        Dag dag = Dag.workflow("d")
                .sleep("a", SECOND.multipliedBy(10))
                .compensate("u")
                .task("u", "log")
                .input("undone")
                .sleep("b", SECOND.multipliedBy(10))
                .after("a")
                .runTimeout(SECOND.multipliedBy(15))
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", null);
            RefusalAssertions.refused("time is up", () -> DagScenario.result(run));
            assertThat(scenario.log()).containsExactly("15000 undone");
            assertThat(run.state().step("a").status()).isEqualTo(StepStatus.COMPENSATED);
            assertThat(run.state().step("b").status()).isEqualTo(StepStatus.CANCELLED);
        });
    }

    @Test
    void runCancelledTwiceIsCompensatedOnce() {
        Dag dag = Dag.workflow("d")
                .task("a", "log")
                .input("a")
                .compensate("u")
                .task("u", "log")
                .input("undone")
                .sleep("b", Duration.ofDays(1))
                .after("a")
                .cancelOn("stop", Map.of())
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", null);
            scenario.advance(SECOND);
            for (int i = 0; i < 5; i++) {
                scenario.dormouse().publish("stop", i);
                run.handle().cancel("enough " + i);
            }
            scenario.advance(SECOND);
            assertThat(run.handle().describe().status()).isEqualTo(RunStatus.CANCELLED);
            assertThat(scenario.log()).containsExactly("0 a", "1000 undone");
        });
    }
}
