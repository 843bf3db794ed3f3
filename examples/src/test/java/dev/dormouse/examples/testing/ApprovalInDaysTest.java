package dev.dormouse.examples.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.WorkflowHandle;
import dev.dormouse.examples.approval.Approval;
import dev.dormouse.examples.approval.ApprovalWorkflow;
import dev.dormouse.testing.DormouseExtension;
import dev.dormouse.testing.TestDormouse;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Decisions of people, simulated by a test. docs/testing.md quotes this. */
class ApprovalInDaysTest {
    @RegisterExtension
    final DormouseExtension kit =
            DormouseExtension.of(builder -> builder.workflow(Approval.class, ApprovalWorkflow::new)
                    .workflow("silent", String.class, String.class, (ctx, input) -> {
                        ctx.await(() -> false);
                        return input;
                    }));

    private Approval approval;
    private WorkflowHandle<String> handle;
    private Instant deadline;

    @BeforeEach
    void ask(TestDormouse test) {
        deadline = test.now().plus(Duration.ofDays(7));
        approval = test.dormouse().workflow(Approval.class, "approval-1");
        handle = test.dormouse().start(() -> approval.execute(deadline));
    }

    @Test
    void approvedInTime(TestDormouse test) {
        test.advance(Duration.ofDays(6));
        approval.approve();
        assertThat(handle.result()).isEqualTo("APPROVED");
    }

    @Test
    void rejectedAtTheDeadlineWhereverThatWasMoved(TestDormouse test) {
        Instant later = deadline.plus(Duration.ofDays(7));
        approval.extendDeadline(later);
        test.advance(Duration.ZERO);
        assertThat(approval.deadline()).isEqualTo(later);
        assertThat(handle.result()).isEqualTo("REJECTED");
        assertThat(test.now()).isEqualTo(later);
    }

    @Test
    void waitForNothingIsAnError(TestDormouse test) {
        WorkflowHandle<String> silent = test.dormouse().start("silent", "silent-1", String.class, "");
        assertThatThrownBy(silent::result).hasMessageContaining("DM5001").hasMessageContaining("'silent-1'");
    }
}
