package dev.dormouse.event;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.WorkflowHandle;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Events that were published before a wait began, which count despite crashes. */
class EventWindowCrashTest {
    @Test
    void crashWhileTheWaitBeginsDoesNotMakeAnEventOld() {
        simulate(sim -> {
            UnaryOperator<DormouseBuilder> setUp =
                    builder -> builder.workflow("w", String.class, String.class, (ctx, id) -> {
                        sim.log("begins");
                        return ctx.waitForEvent("paid", Map.of(), Duration.ofHours(1))
                                .map(event -> "got it")
                                .orElse("nothing");
                    });
            Dormouse one = sim.open(setUp);
            Dormouse two = sim.open(setUp);
            two.publish("paid", "x");
            sim.advance(Duration.ofSeconds(55));
            sim.log().clear();
            WorkflowHandle<String> run = one.start("w", "w-1", String.class, "x");
            sim.await("its first line", () -> sim.count("begins") > 0);
            sim.kill(one);
            WorkflowHandle<String> found = two.find("w-1", String.class).orElseThrow();
            sim.advance(Duration.ofMinutes(10));
            assertThat(sim.result(found)).isEqualTo("got it");
        });
    }
}
