package dev.dormouse.postgres.notify;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.postgresql.ds.common.BaseDataSource;

/**
 * Sockets for connections that listen. The driver returns received notifications only after a millisecond without new
 * data, so a steady stream of notifications, which any role may send, would delay them forever. This socket ends that
 * wait at once. It recognizes the wait by its timeout: no other wait has a timeout of one millisecond. Public only for
 * the driver, which loads it by name.
 */
public final class PromptSockets extends DriverSockets {
    private static final int WAIT_FOR_MORE_MILLIS = 1;

    /** Sets this socket factory, unless the URL names another one, which may be the only way to the server. */
    public static void useFor(BaseDataSource source) {
        if (source.getSocketFactory() == null) {
            source.setSocketFactory(PromptSockets.class.getName());
        }
    }

    @Override
    public Socket createSocket() {
        return new PromptSocket();
    }

    private static final class PromptSocket extends Socket {
        @Override
        public InputStream getInputStream() throws IOException {
            return new PromptInput(super.getInputStream(), this::getSoTimeout);
        }
    }

    static final class PromptInput extends FilterInputStream {
        private final Timeout timeout;

        PromptInput(InputStream in, Timeout timeout) {
            super(in);
            this.timeout = timeout;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (timeout.millis() == WAIT_FOR_MORE_MILLIS && in.available() == 0) {
                throw new SocketTimeoutException("Nothing more has come.");
            }
            return in.read(bytes, offset, length);
        }
    }

    /** The current read timeout. */
    @FunctionalInterface
    interface Timeout {
        int millis() throws IOException;
    }
}
