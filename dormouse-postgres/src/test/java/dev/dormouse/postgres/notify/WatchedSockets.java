package dev.dormouse.postgres.notify;

import java.net.Socket;
import java.net.SocketException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Sockets that record the driver's read timeouts. */
public final class WatchedSockets extends DriverSockets {
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
}
