package dev.dormouse.postgres;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** Some who send one meaningless notification after the other until this is closed. */
public final class NotifyStorm implements AutoCloseable {
    private static final int TALKERS = 3;
    private static final int MANY = 100;

    private final ExecutorService talkers = Executors.newFixedThreadPool(TALKERS);
    private final Semaphore sent = new Semaphore(0);
    private volatile boolean closed;

    public NotifyStorm(Callable<Connection> source, String quotedChannel) {
        for (int i = 0; i < TALKERS; i++) {
            talkers.submit(() -> talk(source, quotedChannel));
        }
    }

    private boolean talk(Callable<Connection> source, String quotedChannel) throws Exception {
        try (Connection connection = source.call();
                Statement statement = connection.createStatement()) {
            while (!closed) {
                statement.execute("notify " + quotedChannel + ", 'nothing'");
                sent.release();
            }
        }
        return true;
    }

    /** Until some more have been sent. */
    public void awaitMore() throws InterruptedException, SQLException {
        sent.drainPermits();
        if (!sent.tryAcquire(MANY, 20, SECONDS)) {
            throw new SQLException("Expected " + MANY + " notifications within 20 s, but fewer were sent.");
        }
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        talkers.shutdown();
        talkers.awaitTermination(20, SECONDS);
    }
}
