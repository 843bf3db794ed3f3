package dev.dormouse.workflow;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.RunStatus;
import org.junit.jupiter.api.Test;

/** Workflows that continue as new very often. */
class LongChainTest {
    private static final int RUNS = 3_000;

    @Test
    void firstHandleGivesTheResultOfTheLastOfThousandsOfRuns() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow("w", Integer.class, String.class, (ctx, round) -> {
                if (round < RUNS) {
                    ctx.continueAsNew(round + 1);
                }
                return "round " + round;
            }));
            WorkflowHandle<String> first = dormouse.start("w", "w", String.class, 0);
            sim.await(
                    "the last run",
                    () -> dormouse.find("w", String.class)
                                    .orElseThrow()
                                    .describe()
                                    .status()
                            == RunStatus.COMPLETED);
            assertThat(sim.result(first)).isEqualTo("round " + RUNS);
        });
    }
}
