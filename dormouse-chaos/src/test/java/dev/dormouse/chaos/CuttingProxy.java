package dev.dormouse.chaos;

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
 * Stands between a client and a server. Now and then it passes a question on and then, instead of the answer, cuts the
 * connection: the server has done what it was asked, and the client cannot know.
 */
final class CuttingProxy implements AutoCloseable {
    private static final int LARGEST = 1 << 16;
    private static final int SPARED = 8;

    private final ServerSocket door;
    private final int serverPort;
    private final int oneIn;
    private final Random random;
    private final AtomicInteger cuts = new AtomicInteger();
    private volatile boolean cutting;

    /** @param oneIn one answer in so many is lost, but for the first ones of a connection, with which it is set up */
    CuttingProxy(int serverPort, int oneIn, long seed) throws IOException {
        this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.serverPort = serverPort;
        this.oneIn = oneIn;
        this.random = new Random(seed);
        daemon(this::accept);
    }

    int port() {
        return door.getLocalPort();
    }

    /** From now on answers get lost. */
    void cut() {
        cutting = true;
    }

    /** How many answers were lost so far. */
    int cuts() {
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
