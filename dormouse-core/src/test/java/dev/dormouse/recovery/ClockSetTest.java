package dev.dormouse.recovery;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A store clock that is set back: leases of dead nodes still expire soon. */
class ClockSetTest {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static Dormouse open(SimulatedDormouse sim) {
        return sim.open(node -> node.workflow("slow", String.class, String.class, (ctx, input) -> {
            ctx.step("slow", () -> {
                sim.log("begun");
                sim.advance(MINUTE);
                sim.log("ended");
            });
            return "done";
        }));
    }

    @Test
    void runOfADeadNodeIsTakenOverAfterTheClockWasSetBack() {
        simulate(sim -> {
            Dormouse one = open(sim);
            one.start("slow", "w", String.class, "");
            sim.await("the step to begin", () -> sim.count("begun") == 1);
            Dormouse two = open(sim);
            sim.kill(one);
            sim.stepClock(DAY.negated());
            Duration before = sim.elapsed();
            assertThat(sim.result(two.find("w", String.class).orElseThrow())).isEqualTo("done");
            assertThat(sim.elapsed().minus(before)).isLessThan(MINUTE.multipliedBy(3));
            assertThat(sim.count("begun")).isEqualTo(2);
        });
    }

    @Test
    void runOfADeadNodeIsTakenOverByOneThatOpensAfterTheClockWasSetBack() {
        simulate(sim -> {
            Dormouse one = open(sim);
            one.start("slow", "w", String.class, "");
            sim.await("the step to begin", () -> sim.count("begun") == 1);
            sim.kill(one);
            sim.stepClock(DAY.negated());
            Duration before = sim.elapsed();
            Dormouse two = open(sim);
            assertThat(sim.result(two.find("w", String.class).orElseThrow())).isEqualTo("done");
            assertThat(sim.elapsed().minus(before)).isLessThan(MINUTE.multipliedBy(3));
        });
    }

    @Test
    void runOfALivingNodeStaysThere() {
        simulate(sim -> {
            Dormouse one = open(sim);
            Dormouse two = open(sim);
            WorkflowHandle<String> handle = one.start("slow", "w", String.class, "");
            sim.await("the step to begin", () -> sim.count("begun") == 1);
            sim.stepClock(DAY.negated());
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(sim.log()).containsExactly("begun", "ended");
            two.close();
        });
    }
}
