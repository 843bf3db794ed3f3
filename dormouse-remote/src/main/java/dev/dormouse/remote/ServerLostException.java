package dev.dormouse.remote;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.StoreTrouble;
import dev.dormouse.store.base.StoreException;

/** The transport's failure of a call: the server did not answer, and another one may. */
final class ServerLostException extends StoreException {
    private static final long serialVersionUID = 1L;

    ServerLostException(StoreTrouble trouble, String message, Throwable cause) {
        super(ErrorCode.STORE_UNAVAILABLE, trouble, message, cause);
    }
}
