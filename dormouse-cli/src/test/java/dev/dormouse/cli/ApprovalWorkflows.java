package dev.dormouse.cli;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.plugin.WorkflowModule;
import java.time.Duration;

/** Workflows with a signal, a query and an update, and some that greet, fail or sleep. */
public final class ApprovalWorkflows implements WorkflowModule {

    /** Waits for an approval. */
    @WorkflowInterface
    public interface Approval {
        @WorkflowMethod
        String run(String what);

        @SignalMethod
        void approve(String by);

        @QueryMethod
        String what();

        @UpdateMethod
        int raise(int pieces);
    }

    /** The implementation of {@link Approval}. */
    public static final class ApprovalWorkflow implements Approval {
        private String what = "";
        private String approvedBy = "";
        private int pieces = 1;

        @Override
        public String run(String input) {
            what = input;
            Workflow.step("note", String.class, () -> "noted");
            boolean inTime = Workflow.await(Duration.ofHours(1), () -> !approvedBy.isEmpty());
            return inTime ? what + " x " + pieces + " by " + approvedBy : "too late";
        }

        @Override
        public void approve(String by) {
            approvedBy = by;
        }

        @Override
        public String what() {
            return what;
        }

        @Override
        public int raise(int more) {
            if (more < 0) {
                throw new IllegalArgumentException("never less");
            }
            pieces += more;
            return pieces;
        }
    }

    @Override
    public void register(DormouseBuilder builder) {
        builder.workflow(Approval.class, ApprovalWorkflow::new)
                .workflow("greeting", String.class, String.class, (ctx, name) -> "Hello, " + name + "!")
                .workflow("failing", String.class, String.class, (ctx, why) -> {
                    throw new IllegalStateException(why);
                })
                .workflow("nap", Integer.class, String.class, (ctx, hours) -> {
                    ctx.sleep(Duration.ofHours(hours));
                    return "slept";
                });
    }

    @Override
    public void opened(Dormouse dormouse) {
        dormouse.timers().handle("beep", Object.class, (Object text) -> {});
    }
}
