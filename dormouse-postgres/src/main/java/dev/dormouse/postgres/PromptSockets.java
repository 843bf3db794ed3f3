package dev.dormouse.postgres;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.postgresql.ds.common.BaseDataSource;

/**
 * Sockets of connections that listen. The driver passes on what it has heard when it has heard nothing more for a
 * millisecond, so that a steady stream of notifications, which anybody may send, keeps it from passing on any. Here that
 * wait, which is the only one of a millisecond, is over at once. Public only for the driver, which is given its name.
 */
public final class PromptSockets extends DriverSockets {
    private static final int WAIT_FOR_MORE_MILLIS = 1;

    /** What the URL asks for, perhaps because there is no other way to the server, comes first. */
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

    /** How long a read may wait now. */
    @FunctionalInterface
    interface Timeout {
        int millis() throws IOException;
    }
}
