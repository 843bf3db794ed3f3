package dev.dormouse;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.replay.WorkflowCode;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Refuses calls of the API at places where they do harm. In workflow code, every replay would repeat them. In a transaction
 * step, they would not be part of the transaction, and may wait for a lock that it holds. Everywhere else, steps included,
 * they are allowed.
 */
final class CallGuard {
    private static final String IN_A_STEP = "Call it in a step: Workflow.step(…).";

    private CallGuard() {}

    /**
     * Refuses a call that changes something.
     *
     * @param durable what workflow code calls instead, such as {@code Workflow.signal(…)}
     */
    static void changes(String call, String durable) {
        WorkflowCode.refuse(call, "Use " + durable + ", or call it in a step: Workflow.step(…).");
        refuseInTransaction(call);
    }

    /** Refuses a call that changes something and has no counterpart in workflow code. */
    static void changes(String call) {
        WorkflowCode.refuse(call, IN_A_STEP);
        refuseInTransaction(call);
    }

    /** Refuses a call that only reads. */
    static void reads(String call) {
        WorkflowCode.refuse(call, IN_A_STEP);
    }

    /** Refuses a call whose effect is part of a transaction of the caller. */
    static void within(String call) {
        WorkflowCode.refuse(call, "Call it in Workflow.transaction(…).");
    }

    /** Refuses to wait for the end of a run, also in a step of that very run, which would never end. */
    static void waits(String call, @Nullable UUID runId) {
        WorkflowCode.refuse(call, "Use a child: Workflow.child(…), which is awaited durably and without a thread.");
        refuseInTransaction(call);
        if (runId != null && ActivityRun.isPartOf(runId)) {
            throw new DormouseException(
                    ErrorCode.NOT_ALLOWED_HERE,
                    "Expected a step to wait for another run than its own, but it calls " + call + " for run " + runId
                            + ", which cannot end before the step does. Return, and wait elsewhere.");
        }
    }

    private static void refuseInTransaction(String call) {
        String step = ActivityRun.transaction();
        if (step != null) {
            throw new DormouseException(
                    ErrorCode.NOT_ALLOWED_HERE,
                    "Expected step '" + step + "' to change nothing but its transaction, but it calls " + call
                            + ". Use dormouse.within(connection), or call it in a step of its own after this one.");
        }
    }
}
