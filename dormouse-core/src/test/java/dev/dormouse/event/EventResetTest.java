package dev.dormouse.event;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Waits for events by runs that were reset. */
class EventResetTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private static WorkflowFunction<String, String> waiting(AtomicReference<String> event) {
        return (ctx, input) -> {
            ctx.sleep(SECOND);
            return ctx.waitForEvent(event.get(), Map.of(), HOUR)
                    .map(came -> came.payload(String.class))
                    .orElse("nothing");
        };
    }

    /** Regression: the subscription of the first run stays, so the second run, which has the same id, gets none. */
    @Test
    void runThatWasResetToOtherCodeGetsTheEventsItAwaits() {
        simulate(sim -> {
            AtomicReference<String> event = new AtomicReference<>("wrong");
            Dormouse node = sim.open(builder -> builder.workflow("w", String.class, String.class, waiting(event)));
            WorkflowHandle<String> first = node.start("w", "w-1", String.class, "x");
            sim.advance(MINUTE);
            event.set("right");
            WorkflowHandle<String> again = first.reset(1);
            sim.advance(MINUTE);
            node.publish("right", "17 euros");
            assertThat(sim.result(again)).isEqualTo("17 euros");
        });
    }

    /** Earlier signals are available to a run that was reset; events should be, too. */
    @Test
    void eventThatTheRunHasHadIsThereAgain() {
        simulate(sim -> {
            AtomicReference<String> event = new AtomicReference<>("paid");
            Dormouse node = sim.open(builder -> builder.workflow("w", String.class, String.class, waiting(event)));
            WorkflowHandle<String> first = node.start("w", "w-1", String.class, "x");
            sim.advance(MINUTE);
            node.publish("paid", "17 euros");
            assertThat(sim.result(first)).isEqualTo("17 euros");
            sim.advance(MINUTE.multipliedBy(2));
            assertThat(sim.result(first.reset(1))).isEqualTo("17 euros");
        });
    }
}
