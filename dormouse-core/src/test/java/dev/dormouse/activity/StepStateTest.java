package dev.dormouse.activity;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.IdReuse;
import dev.dormouse.StartOptions;
import dev.dormouse.TypeRef;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.WorkflowIdTakenException;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two pitfalls that Dormouse cannot detect, as described in docs/waiting.md. */
class StepStateTest {

    @Test
    void stateThatAStepChangesIsLostInAReplayAndItsResultIsNot() {
        simulate(sim -> {
            Dormouse one = sim.open(StepStateTest::mails);
            WorkflowHandle<String> mails = one.start("mails", "m", String.class, "x");
            sim.advance(Duration.ofSeconds(1));
            sim.kill(one);
            Dormouse two = sim.open(StepStateTest::mails);
            assertThat(sim.result(two.find(mails.workflowId(), String.class).orElseThrow()))
                    .isEqualTo("inside [], outside [returned]");
        });
    }

    private static DormouseBuilder mails(DormouseBuilder node) {
        return node.workflow("mails", String.class, String.class, (ctx, text) -> {
            List<String> inside = new ArrayList<>();
            List<String> outside = new ArrayList<>();
            ctx.step("changes", () -> {
                inside.add("changed");
            });
            outside.add(ctx.step("returns", String.class, () -> "returned"));
            ctx.sleep(Duration.ofHours(1));
            return "inside " + inside + ", outside " + outside;
        });
    }

    @Test
    void secondStartUnderAnIdReturnsTheFirstRunUnlessItIsToBeRejected() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(SimulatedDormouse::echo);
            assertThat(sim.result(dormouse.start("echo", "e", String.class, "first")))
                    .isEqualTo("first");
            assertThat(sim.result(dormouse.start("echo", "e", String.class, "second")))
                    .isEqualTo("first");
            StartOptions strict = StartOptions.DEFAULT.withIdReuse(IdReuse.REJECT);
            assertThat(catchThrowable(() -> dormouse.start("echo", "e", strict, TypeRef.of(String.class), "third")))
                    .isInstanceOf(WorkflowIdTakenException.class);
        });
    }
}
