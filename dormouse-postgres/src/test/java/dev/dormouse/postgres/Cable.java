package dev.dormouse.postgres;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * A proxy to PostgreSQL that can lose answers: requests still arrive and take effect, but when the server answers, the
 * connection breaks. It can also hang.
 */
final class Cable implements AutoCloseable {
    private final ServerSocket plug;
    private volatile int serverPort;
    private final Set<Closeable> sockets = ConcurrentHashMap.newKeySet();
    private volatile int loseFrom = Integer.MAX_VALUE;
    private volatile Optional<String> loseWith = Optional.empty();
    private volatile CountDownLatch open = new CountDownLatch(0);

    Cable(int serverPort) throws IOException {
        this.serverPort = serverPort;
        this.plug = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return plug.getLocalPort();
    }

    /** Loses the answers to requests of at least this many bytes; requests that set up or check a connection are shorter. */
    void loseAnswersFrom(int bytes) {
        loseFrom = bytes;
    }

    /** Loses the answers to requests that contain this text. */
    void loseAnswersTo(String text) {
        loseWith = Optional.of(text);
    }

    void loseNothing() {
        loseFrom = Integer.MAX_VALUE;
        loseWith = Optional.empty();
    }

    /** Passes nothing on until {@link #thaw()}; no connection breaks. */
    void freeze() {
        open = new CountDownLatch(1);
    }

    void thaw() {
        open.countDown();
    }

    /** Leads new connections to another server; those that are open stay where they are. */
    void leadTo(int port) {
        serverPort = port;
    }

    /** Ends all open connections. */
    void cutAll() throws IOException {
        for (Closeable socket : sockets) {
            socket.close();
        }
        sockets.clear();
    }

    private void accept() {
        while (!plug.isClosed()) {
            try {
                Wire wire = new Wire(plug.accept(), new Socket(InetAddress.getLoopbackAddress(), serverPort));
                sockets.add(wire.client);
                sockets.add(wire.server);
                start(wire::passRequests);
                start(wire::passAnswers);
            } catch (IOException e) {
                return;
            }
        }
    }

    /** One connection through the cable. */
    private final class Wire {
        private final Socket client;
        private final Socket server;
        private volatile boolean broken;

        Wire(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void passRequests() {
            pass(client, server, true);
        }

        void passAnswers() {
            pass(server, client, false);
        }

        private void pass(Socket from, Socket to, boolean requests) {
            byte[] buffer = new byte[1 << 20];
            try (from;
                    to) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    if (requests && (read >= loseFrom || hasText(buffer, read))) {
                        broken = true;
                    } else if (!requests && broken) {
                        return;
                    }
                    open.await();
                    out.write(buffer, 0, read);
                }
            } catch (IOException | InterruptedException e) {
                // One end is gone, and so is the other.
            }
        }
    }

    private boolean hasText(byte[] buffer, int length) {
        return loseWith.isPresent()
                && new String(buffer, 0, length, StandardCharsets.ISO_8859_1).contains(loseWith.get());
    }

    private static void start(Runnable body) {
        Thread thread = new Thread(body, "cable");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        thaw();
        plug.close();
        for (Closeable socket : sockets) {
            socket.close();
        }
    }
}
