package dev.dormouse.event;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Events of the last minute, found among many others with the same name. */
class EventRecallTest {
    @Test
    void eventIsFoundAmongManyOthersOfItsName() {
        simulate(sim -> {
            Dormouse node = sim.open(builder -> builder.workflow(
                    "w",
                    String.class,
                    String.class,
                    (ctx, id) -> ctx.waitForEvent("paid", Map.of("id", id), Duration.ofSeconds(30))
                            .map(event -> "got it")
                            .orElse("nothing")));
            node.publish("paid", Map.of("id", "mine"));
            sim.advance(Duration.ofSeconds(1));
            for (int i = 0; i < 1_000; i++) {
                node.publish("paid", Map.of("id", "other " + i));
            }
            sim.advance(Duration.ofSeconds(10));
            assertThat(sim.result(node.start("w", "w-1", String.class, "mine"))).isEqualTo("got it");
        });
    }
}
