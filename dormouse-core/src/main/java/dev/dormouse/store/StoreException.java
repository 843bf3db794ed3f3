package dev.dormouse.store;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import org.jspecify.annotations.Nullable;

/** The store could not be asked. Nothing is known about whether what was asked took place. */
public class StoreException extends DormouseException {
    private static final long serialVersionUID = 1L;

    private final StoreTrouble trouble;

    /** Creates one for a store that is away, if the code is STORE_UNAVAILABLE, or otherwise refuses. */
    public StoreException(ErrorCode code, String message, @Nullable Throwable cause) {
        this(code, code == ErrorCode.STORE_UNAVAILABLE ? StoreTrouble.AWAY : StoreTrouble.REFUSED, message, cause);
    }

    /** Creates one for a kind of outage. */
    public StoreException(ErrorCode code, StoreTrouble trouble, String message, @Nullable Throwable cause) {
        super(code, message, cause);
        this.trouble = trouble;
    }

    /** Returns the kind of outage that it is a sign of. */
    public StoreTrouble trouble() {
        return trouble;
    }
}
