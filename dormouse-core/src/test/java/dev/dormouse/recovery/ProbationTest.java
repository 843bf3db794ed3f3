package dev.dormouse.recovery;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Probation: runs that were in memory when their node died twice restart one after the other. */
class ProbationTest {
    private static final Duration LEASE = Duration.ofSeconds(15);

    /** With one strike a run begins alone. Inputs that begin with "poll" look every few seconds; others execute one step. */
    private static Dormouse open(SimulatedDormouse sim) {
        return sim.open(node -> Scenario.with(node, (ctx, input) -> {
                    for (int i = 0; i < 10_000 && input.startsWith("poll"); i++) {
                        ctx.step("look", () -> {
                            sim.log(input);
                            sim.advance(sim.count(input) <= 2 ? Duration.ofMinutes(1) : Duration.ofMillis(1));
                        });
                        ctx.sleep(Duration.ofSeconds(4));
                    }
                    ctx.step("work", () -> {
                        sim.log(input);
                        sim.advance(Duration.ofHours(1));
                    });
                    return "done";
                })
                .maxTakeovers(2)
                .maxExecuting(64));
    }

    private static void start(Dormouse node, String name) {
        node.start("w", name, String.class, name);
    }

    /** A run that is in memory for short waits whenever leases are renewed. */
    @Test
    void runThatHasCommittedAnEventDoesNotDelayOtherRuns() {
        simulate(sim -> {
            Dormouse one = open(sim);
            start(one, "poll");
            sim.advance(Duration.ofSeconds(2));
            start(one, "work");
            sim.await("both to execute", () -> sim.log().size() == 2);
            sim.kill(one);
            Dormouse two = open(sim);
            sim.await("both to execute again", () -> sim.log().size() == 4);
            sim.kill(two);
            open(sim);
            sim.await("the first to execute again", () -> sim.count("poll") > 2);
            Duration before = sim.elapsed();
            sim.await("the second to execute again", () -> sim.count("work") == 3);
            assertThat(sim.elapsed().minus(before)).isLessThan(LEASE.multipliedBy(2));
        });
    }
}
