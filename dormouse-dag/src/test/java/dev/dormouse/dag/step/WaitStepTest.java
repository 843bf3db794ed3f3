package dev.dormouse.dag.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.model.StepStatus;
import dev.dormouse.dag.support.DagScenario;
import dev.dormouse.inspect.HistoryEvent;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Steps that wait for an event. */
class WaitStepTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private static Dag paid() {
        return Dag.workflow("paid")
                .waitForEvent("paid", "order.paid", Map.of("order.id", "$.input.id"), HOUR)
                .build();
    }

    @Test
    void matchingEventIsTheOutput() {
        DagScenario.play(paid(), scenario -> {
            DagRun run = scenario.start("paid", Map.of("id", 17));
            scenario.advance(SECOND);
            assertThat(run.state().step("paid").status()).isEqualTo(StepStatus.WAITING);
            scenario.dormouse().publish("order.paid", Map.of("order", Map.of("id", 17), "sum", 3));
            assertThat(DagScenario.result(run)).isEqualTo(Map.of("paid", Map.of("order", Map.of("id", 17), "sum", 3)));
            assertThat(scenario.test().elapsed()).isLessThan(SECOND.multipliedBy(2));
        });
    }

    @Test
    void eventsThatDoNotMatchWakeNoRun() {
        DagScenario.play(paid(), scenario -> {
            DagRun run = scenario.start("paid", Map.of("id", 17));
            scenario.advance(SECOND);
            int before = run.handle().history().size();
            scenario.dormouse().publish("order.paid", Map.of("order", Map.of("id", 18)));
            scenario.dormouse().publish("order.paid", Map.of("order", Map.of("id", "17")));
            scenario.dormouse().publish("order.paid", Map.of("order", 17));
            scenario.dormouse().publish("order.paid", null);
            scenario.dormouse().publish("order.sent", Map.of("order", Map.of("id", 17)));
            scenario.advance(SECOND);
            assertThat(run.handle().history()).hasSize(before);
            assertThat(DagScenario.result(run)).isEqualTo(Map.of("paid", Map.of("timeout", true)));
        });
    }

    @Test
    void timeoutIsAnOutcome() {
        DagScenario.play(paid(), scenario -> {
            DagRun run = scenario.start("paid", Map.of("id", 17));
            assertThat(DagScenario.result(run)).isEqualTo(Map.of("paid", Map.of("timeout", true)));
            assertThat(scenario.test().elapsed()).isEqualTo(HOUR);
            assertThat(run.state().step("paid").status()).isEqualTo(StepStatus.COMPLETED);
            assertThat(run.handle().history().stream().map(HistoryEvent::kind))
                    .contains("step.wait.started", "step.wait.timedOut");
        });
    }

    @Test
    void eventShortlyBeforeTheWaitIsReceived() {
        DagScenario.play(paid(), scenario -> {
            scenario.dormouse().publish("order.paid", Map.of("order", Map.of("id", 17), "n", 1));
            scenario.advance(SECOND);
            scenario.dormouse().publish("order.paid", Map.of("order", Map.of("id", 17), "n", 2));
            scenario.advance(SECOND.multipliedBy(50));
            DagRun run = scenario.start("paid", Map.of("id", 17));
            assertThat(DagScenario.result(run)).isEqualTo(Map.of("paid", Map.of("order", Map.of("id", 17), "n", 1)));
        });
    }

    @Test
    void eventLongBeforeTheWaitIsNotReceived() {
        DagScenario.play(paid(), scenario -> {
            scenario.dormouse().publish("order.paid", Map.of("order", Map.of("id", 17)));
            scenario.advance(SECOND.multipliedBy(61));
            DagRun run = scenario.start("paid", Map.of("id", 17));
            assertThat(DagScenario.result(run)).isEqualTo(Map.of("paid", Map.of("timeout", true)));
        });
    }

    @Test
    void eventWindowIsConfigurable() {
        try (DagScenario scenario = DagScenario.with(builder -> builder.eventWindow(HOUR), paid())) {
            scenario.dormouse().publish("order.paid", Map.of("order", Map.of("id", 17)));
            scenario.advance(Duration.ofMinutes(59));
            assertThat(DagScenario.result(scenario.start("paid", Map.of("id", 17)))
                            .toString())
                    .contains("order");
        }
        try (DagScenario scenario = DagScenario.with(builder -> builder.eventWindow(Duration.ZERO), paid())) {
            scenario.dormouse().publish("order.paid", Map.of("order", Map.of("id", 17)));
            scenario.advance(SECOND);
            assertThat(DagScenario.result(scenario.start("paid", Map.of("id", 17)))
                            .toString())
                    .contains("timeout");
        }
    }

    @Test
    void runReceivesAnEventOnce() {
        Dag dag = Dag.workflow("ticks")
                .waitForEvent("one", "tick", Map.of(), HOUR)
                .waitForEvent("two", "tick", Map.of(), HOUR)
                .after("one")
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("ticks", null);
            scenario.advance(SECOND);
            scenario.dormouse().publish("tick", 1);
            scenario.advance(SECOND);
            assertThat(run.state().step("two").status()).isEqualTo(StepStatus.WAITING);
            scenario.dormouse().publish("tick", 2);
            assertThat(DagScenario.result(run)).isEqualTo(Map.of("two", 2));
        });
    }

    @Test
    void severalWaitsOfOneRunAllGetTheEvent() {
        Dag dag = Dag.workflow("ticks")
                .waitForEvent("one", "tick", Map.of(), HOUR)
                .waitForEvent("two", "tick", Map.of(), HOUR)
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("ticks", null);
            scenario.advance(SECOND);
            scenario.dormouse().publish("tick", 1);
            assertThat(DagScenario.result(run)).isEqualTo(Map.of("one", 1, "two", 1));
        });
    }

    @Test
    void waitContinuesAfterACrash() {
        DagScenario.play(paid(), scenario -> {
            scenario.start("paid", Map.of("id", 17));
            scenario.advance(SECOND);
            scenario.crash();
            scenario.dormouse().publish("order.paid", Map.of("order", Map.of("id", 17)));
            scenario.crash();
            assertThat(DagScenario.result(scenario.find("paid-1")).toString()).contains("order");
        });
    }

    @Test
    void sameKeyIsPublishedOnce() {
        Dag dag = Dag.workflow("ticks")
                .waitForEvent("one", "tick", Map.of(), HOUR)
                .waitForEvent("two", "tick", Map.of(), HOUR)
                .after("one")
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("ticks", null);
            scenario.advance(SECOND);
            scenario.dormouse().publishOnce("k", "tick", 1);
            scenario.advance(SECOND);
            scenario.dormouse().publishOnce("k", "tick", 1);
            assertThat(DagScenario.result(run)).isEqualTo(Map.of("two", Map.of("timeout", true)));
        });
    }

    @Test
    void matchThatIsNotASingleValueFailsTheStep() {
        DagScenario.play(paid(), scenario -> {
            DagRun run = scenario.start("paid", Map.of("id", Map.of("a", 1)));
            assertThatThrownBy(() -> DagScenario.result(run))
                    .hasMessageContaining("step 'paid' failed")
                    .hasMessageContaining("order.id");
        });
    }
}
