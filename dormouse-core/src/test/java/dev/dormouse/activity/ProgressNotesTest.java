package dev.dormouse.activity;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Activity;
import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.StepDescription;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Progress notes and timeouts of steps across pauses, transactions and deaths of nodes. */
class ProgressNotesTest {

    @Test
    void stepThatIsOverIsNotShownAlthoughANodeDiedInIt() {
        for (boolean says : new boolean[] {false, true}) {
            simulate(sim -> {
                WorkflowFunction<String, String> code = (ctx, input) -> {
                    ctx.step("job", () -> {
                        boolean first = Activity.info().attempt() == 1;
                        if (first || says) {
                            Activity.heartbeat("attempt " + Activity.info().attempt());
                        }
                        sim.advance(first ? Duration.ofMinutes(1) : Duration.ZERO);
                    });
                    ctx.sleep(Duration.ofHours(1));
                    return "";
                };
                Dormouse one = Scenario.open(sim, code);
                Scenario.start(one);
                sim.advance(Duration.ofSeconds(5));
                sim.kill(one);
                Dormouse two = Scenario.open(sim, code);
                sim.advance(Duration.ofMinutes(5));
                WorkflowHandle<String> handle = two.find("w", String.class).orElseThrow();
                assertThat(handle.describe().steps()).isEmpty();
                assertThat(sim.store().notes(0, handle.runId())).isEmpty();
            });
        }
    }

    @Test
    void heartbeatAfterAPauseSurvivesTheNode() {
        simulate(sim -> {
            Dormouse one = Scenario.open(sim, pausesOnce(sim));
            Scenario.start(one);
            sim.advance(Duration.ofMinutes(1));
            sim.kill(one);
            Dormouse two = Scenario.open(sim, pausesOnce(sim));
            assertThat(sim.result(two.find("w", String.class).orElseThrow())).isEqualTo("after");
        });
    }

    @Test
    void stepThatContinuesAfterAPauseIsNotShownAsPaused() {
        simulate(sim -> {
            WorkflowHandle<String> handle = Scenario.start(Scenario.open(sim, pausesOnce(sim)));
            sim.advance(Duration.ofMinutes(1));
            StepDescription step = handle.describe().steps().get(0);
            assertThat(step.progress()).contains("after");
            assertThat(step.pause()).isEmpty();
            assertThat(step.nextAttemptAt()).isEmpty();
        });
    }

    /** Pauses for half a minute and then works for ten minutes; returns the last heartbeat of the attempt before. */
    private static WorkflowFunction<String, String> pausesOnce(SimulatedDormouse sim) {
        return (ctx, input) -> ctx.step("job", String.class, () -> {
            String said = Activity.lastHeartbeat(String.class).orElse("nothing");
            if (Activity.lastCheckpoint(Integer.class).isEmpty()) {
                Activity.heartbeat("before");
                Activity.checkpoint(1);
                Activity.pause("later", Duration.ofSeconds(30));
            }
            Activity.heartbeat("after");
            sim.advance(Duration.ofMinutes(10));
            return said;
        });
    }

    @Test
    void transactionThatIsTooLongIsTriedAgain() {
        simulate(sim -> {
            ActivityOptions brief = ActivityOptions.DEFAULT.withAttemptTimeout(Duration.ofSeconds(10));
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.transaction("slow", brief, String.class, connection -> {
                        int attempt = Activity.info().attempt();
                        sim.advance(attempt == 1 ? Duration.ofMinutes(1) : Duration.ZERO);
                        return "attempt " + attempt;
                    }));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("attempt 2");
        });
    }
}
