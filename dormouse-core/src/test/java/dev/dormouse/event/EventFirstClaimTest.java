package dev.dormouse.event;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.testing.sim.FaultProfile;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A node that dies between filing a wait and reporting it: an event in between is not lost. */
class EventFirstClaimTest {
    @Test
    void eventThatCameBetweenTheWaitAndItsCommitIsNotLost() {
        simulate(sim -> {
            UnaryOperator<DormouseBuilder> setUp = builder -> builder.workflow(
                    "w",
                    String.class,
                    String.class,
                    (ctx, id) -> ctx.waitForEvent("paid", Map.of(), Duration.ofDays(1))
                            .map(event -> "got it")
                            .orElse("nothing"));
            FaultProfile slow = FaultProfile.CALM.withLatency(Duration.ofMillis(200));
            Dormouse one = sim.open(slow, setUp);
            Dormouse client = sim.open(builder -> builder);
            one.start("w", "w-1", String.class, "x");
            sim.await(
                    "a wait that is filed",
                    () -> !sim.store()
                            .subscriptions(0, "paid", Set.of("*"), null, 1)
                            .isEmpty());
            sim.kill(one);
            client.publish("paid", "x");
            sim.advance(Duration.ofMinutes(5));
            Dormouse two = sim.open(setUp);
            assertThat(sim.result(two.find("w-1", String.class).orElseThrow())).isEqualTo("got it");
        });
    }
}
