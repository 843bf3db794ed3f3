package dev.dormouse.postgres.sqltimers;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy between a node and PostgreSQL that passes everything except notifications, like some poolers. */
final class NotificationBlocker implements Closeable {
    private static final int NOTIFICATION = 'A';

    private final ServerSocket server;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final int target;

    NotificationBlocker(int target) throws IOException {
        this(0, target);
    }

    NotificationBlocker(int port, int target) throws IOException {
        this.server = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        this.target = target;
        start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() throws IOException {
        while (!server.isClosed()) {
            Socket client = server.accept();
            Socket upstream = new Socket(InetAddress.getLoopbackAddress(), target);
            sockets.add(client);
            sockets.add(upstream);
            start(() -> copy(client.getInputStream(), upstream.getOutputStream()));
            start(() -> copyMessages(upstream.getInputStream(), client.getOutputStream()));
        }
    }

    private static void copy(InputStream in, OutputStream out) throws IOException {
        try (in;
                out) {
            in.transferTo(out);
        }
    }

    private static void copyMessages(InputStream in, OutputStream out) throws IOException {
        try (DataInputStream from = new DataInputStream(in);
                DataOutputStream to = new DataOutputStream(out)) {
            for (int type = from.read(); type >= 0; type = from.read()) {
                int length = from.readInt();
                byte[] body = from.readNBytes(length - Integer.BYTES);
                if (type != NOTIFICATION) {
                    to.write(type);
                    to.writeInt(length);
                    to.write(body);
                    to.flush();
                }
            }
        }
    }

    private static void start(Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (IOException closed) {
                // one side has ended
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @FunctionalInterface
    private interface Body {
        void run() throws IOException;
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
