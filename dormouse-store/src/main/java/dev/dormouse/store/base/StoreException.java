package dev.dormouse.store.base;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.StoreTrouble;
import org.jspecify.annotations.Nullable;

/** A failure of the store. It is not known whether the requested operation took effect. */
public class StoreException extends DormouseException {
    private static final long serialVersionUID = 1L;

    private final StoreTrouble trouble;

    /**
     * Creates an exception with the trouble {@link StoreTrouble#AWAY} for the code STORE_UNAVAILABLE, and
     * {@link StoreTrouble#REFUSED} for all others.
     *
     * @param cause the exception of the database; null for none
     */
    public StoreException(ErrorCode code, String message, @Nullable Throwable cause) {
        this(code, code == ErrorCode.STORE_UNAVAILABLE ? StoreTrouble.AWAY : StoreTrouble.REFUSED, message, cause);
    }

    /**
     * Creates an exception with a kind of outage.
     *
     * @param cause the exception of the database; null for none
     */
    public StoreException(ErrorCode code, StoreTrouble trouble, String message, @Nullable Throwable cause) {
        super(code, message, cause);
        this.trouble = trouble;
    }

    /** Returns the kind of outage that this failure indicates. */
    public StoreTrouble trouble() {
        return trouble;
    }
}
