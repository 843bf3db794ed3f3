package dev.dormouse.recovery;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A node that gives up a run before it has read the run's history. The run's row does not count appended events. So if
 * the node released the lease at the end that the row knows, the next owner would not read the events after it.
 */
class UnreadHistoryTest {
    private static DormouseBuilder steps(DormouseBuilder node, SimulatedDormouse sim) {
        return node.leasePeriod(Duration.ofMinutes(2)).workflow("steps", String.class, String.class, (ctx, input) -> {
            ctx.step("a", () -> sim.log("a"));
            ctx.step("b", () -> sim.log("b"));
            ctx.step("c", () -> {
                sim.log("c");
                sim.advance(Duration.ofSeconds(50));
            });
            return "done";
        });
    }

    /**
     * A failover makes the node read its runs again. The new execution waits for the old one, whose step does not end.
     * Then the node closes before the new execution has read anything.
     */
    @Test
    void closingNodeKeepsTheEventsOfARunThatItHasNotReadAfterAFailover() {
        simulate(sim -> {
            Dormouse one = sim.open(node -> steps(node, sim));
            one.start("steps", "w", String.class, "");
            sim.advance(Duration.ofSeconds(2));
            sim.failOver(0);
            sim.advance(Duration.ofSeconds(8));
            WorkflowHandle<String> handle =
                    sim.open(node -> steps(node, sim)).find("w", String.class).orElseThrow();
            int known = handle.history().size();
            assertThat(sim.store().current(0, "w").orElseThrow().nextSeq())
                    .as("events that the row counts")
                    .isLessThan(known);
            one.close();
            assertThat(handle.history()).hasSize(known);
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(sim.log()).containsExactly("a", "b", "c", "c");
        });
    }
}
