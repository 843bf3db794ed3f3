package dev.dormouse.store;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import org.jspecify.annotations.Nullable;

/** The store could not be asked. Nothing is known about whether what was asked took place. */
public class StoreException extends DormouseException {
    private static final long serialVersionUID = 1L;

    public StoreException(ErrorCode code, String message, @Nullable Throwable cause) {
        super(code, message, cause);
    }
}
