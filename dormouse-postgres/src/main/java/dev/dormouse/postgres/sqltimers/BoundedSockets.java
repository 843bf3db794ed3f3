package dev.dormouse.postgres.sqltimers;

import dev.dormouse.postgres.notify.DriverSockets;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import jdk.net.ExtendedSocketOptions;

/**
 * Sockets for connections on which users' SQL runs. They fail if an answer is too large: the driver keeps all notices
 * of a statement in memory, and an action may send millions. They also detect, after a long silence, that the server
 * has vanished. Public only for the driver, which loads it by name.
 */
@SuppressWarnings("exports")
public final class BoundedSockets extends DriverSockets {
    /** More than any answer without notices. */
    static final long MOST_BYTES = 4 << 20;

    @Override
    public Socket createSocket() throws SocketException {
        Socket socket = new BoundedSocket();
        socket.setKeepAlive(true);
        if (socket.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
            setKeepAlive(socket);
        }
        return socket;
    }

    private static void setKeepAlive(Socket socket) throws SocketException {
        try {
            socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 10);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, 5);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, 3);
        } catch (SocketException e) {
            throw e;
        } catch (IOException e) {
            throw new SocketException(e.getMessage());
        }
    }

    /** Counts the bytes received since the last write: that is one answer. */
    private static final class BoundedSocket extends Socket {
        private long received;

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read() throws IOException {
                    received(1);
                    return in.read();
                }

                @Override
                public int read(byte[] bytes, int offset, int length) throws IOException {
                    int count = in.read(bytes, offset, length);
                    received(count);
                    return count;
                }
            };
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream()) {
                @Override
                public void write(int one) throws IOException {
                    received = 0;
                    out.write(one);
                }

                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    received = 0;
                    out.write(bytes, offset, length);
                }
            };
        }

        private void received(int more) throws IOException {
            received += more;
            if (received > MOST_BYTES) {
                close();
                throw new IOException("Expected an answer of at most " + MOST_BYTES
                        + " bytes, but more came. An action may not send so many notices.");
            }
        }
    }
}
