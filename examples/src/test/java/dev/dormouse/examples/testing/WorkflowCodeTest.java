package dev.dormouse.examples.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.examples.trial.TrialWorkflow;
import dev.dormouse.lint.WorkflowLint;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Workflow code that a replay can repeat. docs/testing.md quotes this. */
class WorkflowCodeTest {

    @Test
    void allWorkflowsCanBeReplayed() {
        WorkflowLint lint = WorkflowLint.of(Path.of("target/classes"));
        assertThat(lint.workflows()).hasSizeGreaterThan(10);
        assertThat(lint.findings()).isEmpty();
    }

    @Test
    void placesCanBeAccepted() {
        WorkflowLint.of(Path.of("target/classes"))
                .accept("CLOCK:com.acme.Orders.run", "IO:com.acme.legacy.*")
                .check();
    }

    @Test
    void trialCanBeReplayed() {
        WorkflowLint.ofClasses(TrialWorkflow.class).check();
    }
}
