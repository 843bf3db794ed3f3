package dev.dormouse.definition;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.QueryMethod;
import dev.dormouse.QueueOptions;
import dev.dormouse.StartOptions;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Workflow types that share their code. */
class FamilyTest {

    /** A workflow that returns its own type. */
    @WorkflowInterface
    public interface Word {
        @WorkflowMethod
        String say(String text);

        @QueryMethod
        String type();
    }

    private static final class WordWorkflow implements Word {
        private String type = "";

        @Override
        public String say(String text) {
            type = Workflow.info().type();
            Workflow.sleep(Duration.ofHours(1));
            return type + " says " + text;
        }

        @Override
        public String type() {
            return type;
        }
    }

    private static DormouseBuilder words(DormouseBuilder builder) {
        return builder.workflowFamily("word", Word.class, WordWorkflow::new);
    }

    @Test
    void codeKnowsItsOwnWorkflowType() {
        simulate(sim -> {
            Dormouse one = sim.open(FamilyTest::words);
            WorkflowHandle<String> yes = one.start("word:yes", "a", String.class, "x");
            WorkflowHandle<String> no = one.start("word:no", "b", String.class, "y");
            sim.advance(Duration.ofSeconds(1));
            assertThat(yes.query("type", String.class)).isEqualTo("word:yes");
            sim.kill(one);
            Dormouse two = sim.open(FamilyTest::words);
            assertThat(sim.result(two.find("a", String.class).orElseThrow())).isEqualTo("word:yes says x");
            assertThat(sim.result(two.find("b", String.class).orElseThrow())).isEqualTo("word:no says y");
            assertThat(no.runId()).isNotNull();
        });
    }

    @Test
    void familyWorksInQueuesAsChildrenAndElsewhere() {
        simulate(sim -> {
            Dormouse one = sim.open(builder -> words(builder).queue("q", QueueOptions.DEFAULT.withMaxTotal(1)));
            Dormouse two = sim.open(builder -> builder.remoteWorkflow("word:far")
                    .workflow(
                            "parent",
                            String.class,
                            String.class,
                            (ctx, input) -> String.valueOf(
                                    ctx.child("word:child", "kid", ChildOptions.DEFAULT, String.class, input)
                                            .get())));
            StartOptions queued = StartOptions.DEFAULT.withQueue("q");
            assertThat(sim.result(one.start("word:queued", "q", queued, String.class, "x")))
                    .isEqualTo("word:queued says x");
            assertThat(sim.result(two.start("parent", "p", String.class, "y"))).isEqualTo("word:child says y");
            assertThat(sim.result(two.start("word:far", "f", String.class, "z")))
                    .isEqualTo("word:far says z");
            assertThat(two.find("f", String.class).orElseThrow().query("type", String.class))
                    .isEqualTo("word:far");
        });
    }

    @Test
    void badNamesAreRefused() {
        refused(() -> Dormouse.builder().workflow("a:b", String.class, String.class, (ctx, text) -> text));
        refused(() -> Dormouse.builder().workflowFamily("a:b", Word.class, WordWorkflow::new));
        refused(() -> Dormouse.builder().workflowFamily("", Word.class, WordWorkflow::new));
        simulate(sim -> {
            Dormouse one = sim.open(FamilyTest::words);
            assertThatThrownBy(() -> one.start("verb:go", "a", String.class, "x"))
                    .isInstanceOfSatisfying(
                            DormouseException.class,
                            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.UNKNOWN_WORKFLOW_TYPE));
        });
    }

    private static void refused(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        DormouseException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.BAD_ARGUMENT));
    }
}
