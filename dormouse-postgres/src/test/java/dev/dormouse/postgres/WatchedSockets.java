package dev.dormouse.postgres;

import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.SocketFactory;

/** Sockets that tell how long the driver is willing to wait. */
public final class WatchedSockets extends SocketFactory {
    static final Queue<Integer> TIMEOUTS = new ConcurrentLinkedQueue<>();

    @Override
    public Socket createSocket() {
        return new Socket() {
            @Override
            public void setSoTimeout(int timeout) throws SocketException {
                TIMEOUTS.add(timeout);
                super.setSoTimeout(timeout);
            }
        };
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
        throw new UnsupportedOperationException();
    }
}
