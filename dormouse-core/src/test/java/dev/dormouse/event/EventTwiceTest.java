package dev.dormouse.event;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A wait that begins while its event is being delivered, which gets the event once. */
class EventTwiceTest {
    @Test
    void eventThatIsOnItsWayIsHadOnce() {
        simulate(3, sim -> {
            Dormouse node = sim.open(builder -> builder.workflow("w", Integer.class, String.class, (ctx, id) -> {
                String first = ctx.waitForEvent("tick", Map.of("id", id)).id();
                String second = ctx.waitForEvent("tick", Map.of("id", id)).id();
                return first + " " + second;
            }));
            for (int i = 0; i < 300; i++) {
                int id = i;
                sim.inBackground(() -> node.publishOnce("one" + id, "tick", Map.of("id", id)));
                WorkflowHandle<String> run = node.start("w", "w-" + i, String.class, i);
                sim.advance(Duration.ofSeconds(1));
                node.publishOnce("two" + id, "tick", Map.of("id", id));
                assertThat(sim.result(run)).isEqualTo("one" + i + " two" + i);
            }
        });
    }
}
