package dev.dormouse.recovery;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An outbox command that a paused node executes long after another node has executed it. */
class LateOutboxCommandTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static DormouseBuilder family(DormouseBuilder node) {
        return node.retention(Duration.ofSeconds(20))
                .workflow(
                        "parent",
                        String.class,
                        String.class,
                        (ctx, input) -> ctx.child("kid", "kid", ChildOptions.DEFAULT, String.class, input)
                                .get())
                .workflow("kid", String.class, String.class, (ctx, input) -> "kid " + input);
    }

    @Test
    void childThatWasPurgedIsNotStartedAgain() {
        for (int millis = 0; millis < 24; millis++) {
            int begun = millis;
            simulate(sim -> {
                Dormouse one = sim.open(LateOutboxCommandTest::family);
                Dormouse two = sim.open(LateOutboxCommandTest::family);
                one.start("parent", "p", String.class, "x");
                sim.advance(Duration.ofMillis(begun));
                sim.pause(one);
                sim.advance(MINUTE.multipliedBy(5));
                assertThat(two.find("kid", String.class)).as("purged").isEmpty();
                sim.resume(one);
                sim.advance(Duration.ofSeconds(5));
                assertThat(two.find("kid", String.class))
                        .as("paused after " + begun + " ms")
                        .isEmpty();
            });
        }
    }
}
