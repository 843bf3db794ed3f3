package dev.dormouse.postgres.notify;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listener for notifications on its own connection. It waits for bytes on its socket and sends no queries. After a
 * minute of silence it checks that the server still responds.
 *
 * <p>A lost connection is replaced, with growing pauses while that fails. Once the new connection listens, {@code gap}
 * is called: notifications between the loss and that call are missing, so the receiver must query the database itself.
 *
 * <p>Concurrency: one thread reads and reconnects. {@code connection} is volatile because {@link #close} aborts it from
 * another thread. A connection that is opened while {@link #close} runs is
 * closed when the thread has ended, unless opening it takes longer than two seconds.
 *
 * <p>Public only for {@code sqltimers}.
 */
public final class NotificationListener implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(NotificationListener.class);
    private static final Duration SILENCE = Duration.ofMinutes(1);
    private static final int VALIDATION_SECONDS = 5;
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 10_000;
    private static final long CLOSE_MILLIS = 2_000;

    private final Source source;
    private final String listen;
    private final Function<String, Stream<Runnable>> reader;
    private final Runnable gap;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::receiveUntilClosed, "dormouse-listen");
    private volatile Connection connection;

    /** A source of connections to listen on, which are not pooled. */
    @FunctionalInterface
    public interface Source {
        Connection open() throws SQLException;
    }

    /**
     * Listens from the moment this returns; notifications are passed on after {@link #start}.
     *
     * @param reader returns the actions for a notification; if one of them fails, the others run all the same
     */
    public NotificationListener(
            Source source, String quotedChannel, Function<String, Stream<Runnable>> reader, Runnable gap)
            throws SQLException {
        this.source = source;
        this.listen = "listen " + quotedChannel;
        this.reader = reader;
        this.gap = gap;
        this.connection = open();
        thread.setDaemon(true);
    }

    public NotificationListener start() {
        thread.start();
        return this;
    }

    private Connection open() throws SQLException {
        Connection opened = source.open();
        try (Statement statement = opened.createStatement()) {
            statement.execute(listen);
            return opened;
        } catch (SQLException e) {
            opened.close();
            throw e;
        }
    }

    private void receiveUntilClosed() {
        while (!isClosed()) {
            try (Connection current = connection) {
                receive(current);
            } catch (SQLException e) {
                log.debug("Lost the listening connection.", e);
            }
            reconnect();
        }
    }

    private void receive(Connection current) throws SQLException {
        PGConnection driver = current.unwrap(PGConnection.class);
        while (!isClosed()) {
            PGNotification[] received = driver.getNotifications((int) SILENCE.toMillis());
            if (received == null || received.length == 0) {
                if (!current.isValid(VALIDATION_SECONDS)) {
                    return;
                }
                continue;
            }
            for (PGNotification each : received) {
                reader.apply(each.getParameter()).forEach(NotificationListener::pass);
            }
        }
    }

    private static void pass(Runnable notice) {
        try {
            notice.run();
        } catch (RuntimeException e) {
            log.warn("Expected to pass on a notice, but its receiver failed. It is lost.", e);
        }
    }

    private void reconnect() {
        for (long pause = FIRST_PAUSE_MILLIS; !isClosed(); pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS)) {
            try {
                connection = open();
                gap.run();
                return;
            } catch (SQLException e) {
                log.debug("Could not reconnect to listen; trying again.", e);
                pause(pause);
            }
        }
    }

    /**
     * Waits for a random time around {@code millis}, so that nodes that lost the same server do not reconnect at once.
     */
    private void pause(long millis) {
        try {
            closed.await(millis / 2 + ThreadLocalRandom.current().nextLong(millis), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            closed.countDown();
        }
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** Aborts the connection: its thread blocks in a read that nothing else ends. */
    @Override
    public void close() throws SQLException {
        closed.countDown();
        connection.abort(Runnable::run);
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        connection.close();
    }
}
