package dev.dormouse;

import static dev.dormouse.SimulatedDormouse.play;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Steps whose progress and time are looked after, across pauses, transactions and the deaths of nodes. */
class NoteTest {

    @Test
    void stepThatIsOverIsNotShownAlthoughANodeDiedInIt() {
        for (boolean says : new boolean[] {false, true}) {
            play(sim -> {
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
                Dormouse one = Tale.open(sim, code);
                Tale.start(one);
                sim.advance(Duration.ofSeconds(5));
                sim.kill(one);
                Dormouse two = Tale.open(sim, code);
                sim.advance(Duration.ofMinutes(5));
                WorkflowHandle<String> handle = two.find("w", String.class).orElseThrow();
                assertThat(handle.describe().steps()).isEmpty();
                assertThat(sim.store().notes(0, handle.runId())).isEmpty();
            });
        }
    }

    @Test
    void heartbeatAfterAPauseSurvivesTheNode() {
        play(sim -> {
            Dormouse one = Tale.open(sim, pausesOnce(sim));
            Tale.start(one);
            sim.advance(Duration.ofMinutes(1));
            sim.kill(one);
            Dormouse two = Tale.open(sim, pausesOnce(sim));
            assertThat(sim.result(two.find("w", String.class).orElseThrow())).isEqualTo("after");
        });
    }

    @Test
    void stepThatGoesOnAfterAPauseIsNotShownAsPaused() {
        play(sim -> {
            WorkflowHandle<String> handle = Tale.start(Tale.open(sim, pausesOnce(sim)));
            sim.advance(Duration.ofMinutes(1));
            StepDescription step = handle.describe().steps().get(0);
            assertThat(step.progress()).contains("after");
            assertThat(step.pause()).isEmpty();
            assertThat(step.nextAttemptAt()).isEmpty();
        });
    }

    /** Pauses for half a minute, and then takes ten; returns what it had said before it was entered the last time. */
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
        play(sim -> {
            ActivityOptions brief = ActivityOptions.DEFAULT.attemptTimeout(Duration.ofSeconds(10));
            Dormouse dormouse = Tale.open(
                    sim,
                    (ctx, input) -> ctx.transaction("slow", String.class, brief, connection -> {
                        int attempt = Activity.info().attempt();
                        sim.advance(attempt == 1 ? Duration.ofMinutes(1) : Duration.ZERO);
                        return "attempt " + attempt;
                    }));
            assertThat(sim.result(Tale.start(dormouse))).isEqualTo("attempt 2");
        });
    }
}
