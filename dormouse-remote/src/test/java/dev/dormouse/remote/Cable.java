package dev.dormouse.remote;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A connection to a server that a test can cut. */
final class Cable implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Set<Socket> ends = ConcurrentHashMap.newKeySet();
    private final int port;

    Cable(int port) throws IOException {
        this.port = port;
        start(this::accept);
    }

    String url() {
        return "dormouse://127.0.0.1:" + socket.getLocalPort();
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "cable");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                connect(socket.accept());
            }
        } catch (IOException closed) {
            cut();
        }
    }

    private void connect(Socket client) throws IOException {
        ends.add(client);
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
            ends.add(server);
            start(() -> copy(client, server));
            start(() -> copy(server, client));
        } catch (IOException serverIsGone) {
            client.close();
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] bytes = new byte[8_192];
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                out.write(bytes, 0, read);
            }
        } catch (IOException cut) {
            // both ends are closed now
        }
    }

    /** Breaks all connections. New ones are possible. */
    void cut() {
        ends.forEach(end -> {
            try {
                end.close();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        ends.clear();
    }

    @Override
    public void close() throws IOException {
        socket.close();
        cut();
    }
}
