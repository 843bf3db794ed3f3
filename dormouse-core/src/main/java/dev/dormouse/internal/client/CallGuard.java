package dev.dormouse.internal.client;

import dev.dormouse.Dormouse;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.replay.WorkflowCode;
import dev.dormouse.internal.workflow.ActivityRun;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Guards that refuse API calls where they would do harm. In workflow code, every replay would repeat the call. In a
 * transaction step, the call would not be part of the transaction and might wait for a lock that the transaction holds.
 * Calls are allowed everywhere else, including in steps. Thread-safe: each guard looks only at the calling thread.
 */
public final class CallGuard {
    private static final String IN_A_STEP = "Call it in a step: Workflow.step(…).";

    private CallGuard() {}

    /**
     * Refuses a call that changes something.
     *
     * @param durable the call that workflow code uses instead, such as {@code Workflow.signal(…)}
     */
    public static void changes(String call, String durable) {
        WorkflowCode.refuse(call, "Use " + durable + ", or call it in a step: Workflow.step(…).");
        refuseInTransaction(call);
    }

    /** Refuses a call that changes something and has no counterpart in workflow code. */
    public static void changes(String call) {
        WorkflowCode.refuse(call, IN_A_STEP);
        refuseInTransaction(call);
    }

    /** Refuses a call that only reads. */
    public static void reads(String call) {
        WorkflowCode.refuse(call, IN_A_STEP);
    }

    /** Refuses a call whose effect is part of a transaction of the caller. */
    public static void within(String call) {
        WorkflowCode.refuse(call, "Call it in Workflow.transaction(…).");
    }

    /**
     * Refuses a call that waits for the end of a run. Also refuses it in a step of that same run, which would never
     * end.
     */
    public static void waits(String call, @Nullable UUID runId) {
        WorkflowCode.refuse(call, "Use a child: Workflow.child(…), which is awaited durably and without a thread.");
        refuseInTransaction(call);
        if (runId != null && ActivityRun.isPartOf(runId)) {
            throw new DormouseException(
                    ErrorCode.NOT_ALLOWED_HERE,
                    "Expected a step not to wait for its own run, but it calls " + call + " for run " + runId
                            + ", which cannot end before the step ends. Return from the step, and wait elsewhere.");
        }
    }

    /** Refuses to close a node in a step that it executes: closing waits for the step, so the step would never end. */
    public static void closes(Dormouse dormouse) {
        String step = ActivityRun.executedBy(dormouse);
        if (step != null) {
            throw new DormouseException(
                    ErrorCode.NOT_ALLOWED_HERE,
                    "Expected a step not to close the Dormouse that executes it, but step '" + step
                            + "' calls Dormouse.close, which waits for the step. Close it on another thread.");
        }
    }

    private static void refuseInTransaction(String call) {
        String step = ActivityRun.transaction();
        if (step != null) {
            throw new DormouseException(
                    ErrorCode.NOT_ALLOWED_HERE,
                    "Expected step '" + step + "' to change only its own transaction, but it calls " + call
                            + ". Use dormouse.within(connection), or call it in a separate step after this one.");
        }
    }
}
