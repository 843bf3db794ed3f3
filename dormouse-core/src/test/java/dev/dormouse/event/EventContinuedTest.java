package dev.dormouse.event;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.PublishedEvent;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Workflows that handle one event per run and continue as new, and get each event once. */
class EventContinuedTest {
    @Test
    void eventIsHadOnceByAWorkflowThatContinuesAsNew() {
        simulate(sim -> {
            Dormouse node = sim.open(builder -> builder.workflow("w", Integer.class, String.class, (ctx, had) -> {
                PublishedEvent event = ctx.waitForEvent("tick", Map.of());
                ctx.step("handle", () -> sim.log(event.payload(String.class)));
                if (had < 20) {
                    ctx.continueAsNew(had + 1);
                }
                return "enough";
            }));
            node.start("w", "w-1", String.class, 0);
            sim.advance(Duration.ofSeconds(1));
            node.publish("tick", "one");
            sim.advance(Duration.ofSeconds(10));
            assertThat(sim.log()).containsExactly("one");
            sim.log().clear();
        });
    }
}
