package dev.dormouse.chaos.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A TCP proxy that loses answers. From time to time it forwards a request and then cuts the connection instead of
 * returning the answer: the server has executed the request, and the client cannot know. Each connection has two
 * threads; {@code random} is guarded by this object's lock.
 */
public final class CuttingProxy implements AutoCloseable {
    private static final int LARGEST = 1 << 16;
    private static final int SPARED = 8;

    private final ServerSocket door;
    private final int serverPort;
    private final int oneIn;
    private final Random random;
    private final AtomicInteger cuts = new AtomicInteger();
    private volatile boolean cutting;

    /** @param oneIn one in this number of answers is lost, except the first ones of a connection, which set it up */
    public CuttingProxy(int serverPort, int oneIn, long seed) throws IOException {
        this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.serverPort = serverPort;
        this.oneIn = oneIn;
        this.random = new Random(seed);
        daemon(this::accept);
    }

    public int port() {
        return door.getLocalPort();
    }

    /** Starts to lose answers. */
    public void cut() {
        cutting = true;
    }

    /** Returns the number of lost answers so far. */
    public int cuts() {
        return cuts.get();
    }

    private void accept() {
        while (!door.isClosed()) {
            try {
                Socket client = door.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                daemon(() -> pass(client, server, false));
                daemon(() -> pass(server, client, true));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void pass(Socket from, Socket to, boolean answers) {
        byte[] buffer = new byte[LARGEST];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            int passed = 0;
            for (int size = in.read(buffer); size >= 0; size = in.read(buffer)) {
                if (answers && cutting && passed++ > SPARED && isLost()) {
                    cuts.incrementAndGet();
                    return;
                }
                out.write(buffer, 0, size);
            }
        } catch (IOException gone) {
            // the other side is closed with it
        }
    }

    private synchronized boolean isLost() {
        return random.nextInt(oneIn) == 0;
    }

    private static void daemon(Runnable body) {
        Thread thread = new Thread(body, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            door.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
