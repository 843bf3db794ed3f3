package dev.dormouse.replay;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.StartOptions;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.support.Box;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The replay flag of code that runs again after an eviction, even if nothing was recorded. */
class IsReplayingTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private static UnaryOperator<DormouseBuilder> code(SimulatedDormouse sim) {
        return node -> node.workflow(Box.class, () -> new Box.Open() {
            @Override
            public String run(String input) {
                note("begun");
                Workflow.await(() -> ended);
                note("ended");
                return "done";
            }

            @Override
            public void put(String text) {
                note(text);
            }

            private void note(String what) {
                if (!Workflow.info().isReplaying()) {
                    sim.log(what);
                }
            }
        });
    }

    @Test
    void firstSignalOfSignalWithStartIsLiveOnce() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(code(sim));
            Box box = dormouse.workflow(Box.class, "b");
            WorkflowHandle<String> handle = dormouse.signalWithStart(() -> box.run(""), () -> box.put("first"));
            sim.advance(HOUR);
            box.put("second");
            sim.advance(HOUR);
            box.end();
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(sim.log()).containsExactly("first", "begun", "second", "ended");
        });
    }

    @Test
    void beginningOfARunThatWaitsWithoutARecordedEventIsLiveOnce() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(code(sim));
            Box box = dormouse.workflow(Box.class, "b");
            WorkflowHandle<String> handle = dormouse.start(() -> box.run(""));
            sim.advance(HOUR);
            box.end();
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(sim.log()).containsExactly("begun", "ended");
        });
    }

    @Test
    void beginningOfARunWhoseStartWasDelayedIsLiveOnce() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(code(sim));
            Box box = dormouse.workflow(Box.class, "b", StartOptions.DEFAULT.withStartDelay(HOUR));
            WorkflowHandle<String> handle = dormouse.start(() -> box.run(""));
            sim.advance(HOUR.dividedBy(2));
            dormouse.workflow(Box.class, "b").put("early");
            sim.advance(HOUR.multipliedBy(2));
            box.end();
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(sim.log()).containsExactly("early", "begun", "ended");
        });
    }
}
