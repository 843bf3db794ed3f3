package dev.dormouse.engine;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;

/** The code of this node cannot take the run further: it does not do what the history says that it did. */
public final class CodeMismatch extends DormouseException {
    private static final long serialVersionUID = 1L;

    public CodeMismatch(String message) {
        this(ErrorCode.CODE_DOES_NOT_MATCH, message);
    }

    public CodeMismatch(ErrorCode code, String message) {
        super(code, message);
    }
}
