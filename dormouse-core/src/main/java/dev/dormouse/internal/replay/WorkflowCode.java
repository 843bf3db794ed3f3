package dev.dormouse.internal.replay;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;

/**
 * A check whether the calling thread executes workflow code: methods, handlers, conditions and branches of a workflow,
 * but not its steps.
 */
public final class WorkflowCode {
    private WorkflowCode() {}

    /**
     * Throws if the calling thread executes workflow code. For calls that each replay would repeat, or that would
     * return something different in each replay.
     *
     * @param call the call, such as {@code WorkflowHandle.signal}
     * @param instead what workflow code does instead, as a sentence
     * @throws DormouseException NOT_ALLOWED_HERE in workflow code
     */
    public static void refuse(String call, String instead) {
        if (Replay.current() != null) {
            throw new DormouseException(
                    ErrorCode.NOT_ALLOWED_HERE,
                    "Expected workflow code to call only Workflow of Dormouse's API, but it calls " + call + " at "
                            + SourceLine.ofCaller() + ", which is repeated whenever the code is replayed. " + instead);
        }
    }
}
