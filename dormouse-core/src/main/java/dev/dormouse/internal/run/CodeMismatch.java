package dev.dormouse.internal.run;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.run.RunRow;

/** The code of this node cannot take the run further: it does not do what the history says that it did. */
public final class CodeMismatch extends DormouseException {
    private static final long serialVersionUID = 1L;

    public CodeMismatch(String message) {
        this(ErrorCode.CODE_DOES_NOT_MATCH, message);
    }

    public CodeMismatch(ErrorCode code, String message) {
        super(code, message);
    }

    /** The code of a run catches what would end it, or that it is cancelled, in a loop around a call at this line. */
    public static CodeMismatch doesNotLeave(RunRow run, String line) {
        return new CodeMismatch(
                ErrorCode.CODE_DOES_NOT_LEAVE,
                "Expected the code of workflow type '" + run.type()
                        + "' to end when it leaves memory or is cancelled, but it catches that again and again at "
                        + line
                        + ". Let it pass there: catch neither Throwable nor Error, and no CanceledFailure in a loop.");
    }
}
