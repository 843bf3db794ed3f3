package dev.dormouse.event;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Signals from outside with the reserved name of events, which have no effect. */
class EventSignalTest {
    @Test
    void signalWithTheNameOfEventsDoesNotHarmTheRun() {
        for (Object[] arguments : new Object[][] {{}, {1}, {"a", null, null}}) {
            simulate(sim -> {
                Dormouse node = sim.open(builder -> builder.workflow("w", String.class, String.class, (ctx, name) -> {
                    ctx.sleep(Duration.ofHours(1));
                    return "slept";
                }));
                WorkflowHandle<String> run = node.start("w", "w-1", String.class, "x");
                sim.advance(Duration.ofSeconds(1));
                try {
                    run.signal("dormouse.event", arguments);
                } catch (DormouseException refused) {
                    // as it may be
                }
                assertThat(sim.result(run)).isEqualTo("slept");
            });
        }
    }
}
