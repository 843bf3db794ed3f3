package dev.dormouse.internal.run;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.run.RunRow;

/**
 * The failure of this node's code to continue a run, because it does not do what the history records. The run is handed
 * to nodes with another build, or becomes stuck if every live build has refused it; see {@code RunExecution.refuse}.
 */
public final class CodeMismatch extends DormouseException {
    private static final long serialVersionUID = 1L;

    public CodeMismatch(String message) {
        this(ErrorCode.CODE_DOES_NOT_MATCH, message);
    }

    public CodeMismatch(ErrorCode code, String message) {
        super(code, message);
    }

    /**
     * Returns the mismatch of code that catches its eviction or cancellation in a loop around a call at {@code line}.
     */
    public static CodeMismatch doesNotLeave(RunRow run, String line) {
        return new CodeMismatch(
                ErrorCode.CODE_DOES_NOT_LEAVE,
                "Expected the code of workflow type '" + run.type()
                        + "' to end when it leaves memory or is cancelled, but it catches that again and again at "
                        + line
                        + ". Let it pass there: catch neither Throwable nor Error, and no CancelledException in a loop.");
    }
}
