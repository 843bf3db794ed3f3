package dev.dormouse.recovery;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Interleavings in which a run leaves RUNNING although the node has not read what was appended. */
class AppendReviewTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static Dormouse open(SimulatedDormouse sim) {
        return sim.open(node -> work(node, sim));
    }

    private static DormouseBuilder work(DormouseBuilder node, SimulatedDormouse sim) {
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
     * Then the node closes, and releases the lease for the new execution, which has not read anything.
     */
    @Test
    void resumedRunThatHasNotReadItsHistoryIsReleasedWithAllItsEvents() {
        simulate(sim -> {
            Dormouse one = open(sim);
            WorkflowHandle<String> handle = one.start("steps", "w", String.class, "");
            sim.advance(SECOND.multipliedBy(2));
            sim.failOver(0);
            sim.advance(SECOND.multipliedBy(8));
            Dormouse two = open(sim);
            int known = two.find("w", String.class).orElseThrow().history().size();
            one.close();
            RunRow row = sim.store().current(0, "w").orElseThrow();
            System.out.println("known " + known + " row " + row);
            sim.log("history " + known + " "
                    + two.find("w", String.class).orElseThrow().history().size());
            assertThat(sim.result(two.find("w", String.class).orElseThrow())).isEqualTo("done");
            System.out.println(sim.log());
            assertThat(sim.log()).containsOnlyOnce("a").containsOnlyOnce("b");
        });
    }
}
