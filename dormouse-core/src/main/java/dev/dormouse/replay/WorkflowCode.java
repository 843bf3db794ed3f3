package dev.dormouse.replay;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;

/** Whether the calling thread executes workflow code: a workflow's methods, handlers, conditions and branches, not its steps. */
public final class WorkflowCode {
    private WorkflowCode() {}

    /**
     * Refuses a call that each replay would repeat, or that would answer differently in each.
     *
     * @param call such as {@code WorkflowHandle.signal}
     * @param instead what workflow code does instead, as a sentence
     * @throws DormouseException NOT_ALLOWED_HERE in workflow code
     */
    public static void refuse(String call, String instead) {
        if (Replay.current() != null) {
            throw new DormouseException(
                    ErrorCode.NOT_ALLOWED_HERE,
                    "Expected workflow code to call nothing of Dormouse but Workflow, but it calls " + call + " at "
                            + SourceLine.ofCaller() + ", which is repeated whenever the code is replayed. " + instead);
        }
    }
}
