package dev.dormouse;

import static dev.dormouse.SimulatedDormouse.play;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Activities that are functions belong to whoever has registered them, whatever is before the dot in their names. */
class ReviewNamedActivityLaneTest {
    private static WorkflowFunction<String, String> calling() {
        return (ctx, name) -> ctx.activity("call", name, String.class, ActivityOptions.DEFAULT, "x");
    }

    private static DormouseBuilder has(DormouseBuilder builder, String name) {
        return builder.build("1").activity(name, String.class, String.class, input -> name);
    }

    @Test
    void nodeTakesOnlyActivitiesThatItHas() {
        play(sim -> {
            sim.open(builder -> has(builder, "mail.send"));
            Dormouse starter =
                    sim.open(builder -> has(builder, "other").workflow("w", String.class, String.class, calling()));
            sim.open(builder -> has(builder, "mail.read"));
            sim.advance(Duration.ofSeconds(30));
            for (int i = 0; i < 10; i++) {
                WorkflowHandle<String> read = starter.start("w", "r-" + i, String.class, "mail.read");
                WorkflowHandle<String> sent = starter.start("w", "s-" + i, String.class, "mail.send");
                Duration before = sim.elapsed();
                assertThat(sim.result(read)).isEqualTo("mail.read");
                assertThat(sim.result(sent)).isEqualTo("mail.send");
                assertThat(sim.elapsed().minus(before)).isLessThan(Duration.ofSeconds(15));
            }
        });
    }
}
