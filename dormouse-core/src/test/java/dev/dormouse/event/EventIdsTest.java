package dev.dormouse.event;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Distinct events with similar names and ids. */
class EventIdsTest {
    @Test
    void keyOfOneEventIsNotThatOfAnother() {
        simulate(sim -> {
            Dormouse node = sim.open(builder -> builder.workflow(
                    "w",
                    String.class,
                    String.class,
                    (ctx, name) -> ctx.waitForEvent(name, Map.of(), Duration.ofHours(1))
                            .map(event -> event.payload(String.class))
                            .orElse("nothing")));
            WorkflowHandle<String> run = node.start("w", "w-1", String.class, "order/paid");
            sim.advance(Duration.ofSeconds(1));
            node.publishOnce("paid/17", "order", "another");
            node.publishOnce("17", "order/paid", "mine");
            assertThat(sim.result(run)).isEqualTo("mine");
        });
    }
}
