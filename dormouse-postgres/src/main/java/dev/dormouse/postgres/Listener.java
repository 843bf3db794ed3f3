package dev.dormouse.postgres;

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
 * Hears NOTIFY on a connection of its own, by waiting for bytes on its socket: nothing is asked in order to hear. After a
 * minute of silence an empty message shows whether anybody is still there.
 *
 * <p>A lost connection is replaced, with growing pauses while that fails. Once the new one listens, the gap is reported:
 * whatever is missed between the loss and that call, its receiver finds by looking.
 *
 * <p>Public only for the timers beside this package.
 */
public final class Listener implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Listener.class);
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
    private final Thread thread = new Thread(this::hearUntilClosed, "dormouse-listen");
    private volatile Connection connection;

    /** Where connections to listen on come from, which are in no pool. */
    @FunctionalInterface
    public interface Source {
        Connection open() throws SQLException;
    }

    /**
     * Listens from the moment this returns; what is heard is passed on after {@link #start}.
     *
     * @param reader what to do about a notification; when one of these fails, the others are done all the same
     */
    public Listener(Source source, String quotedChannel, Function<String, Stream<Runnable>> reader, Runnable gap)
            throws SQLException {
        this.source = source;
        this.listen = "listen " + quotedChannel;
        this.reader = reader;
        this.gap = gap;
        this.connection = open();
        thread.setDaemon(true);
    }

    public Listener start() {
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

    private void hearUntilClosed() {
        while (!isClosed()) {
            try (Connection current = connection) {
                hear(current);
            } catch (SQLException e) {
                log.debug("Lost the connection that listens.", e);
            }
            reconnect();
        }
    }

    private void hear(Connection current) throws SQLException {
        PGConnection driver = current.unwrap(PGConnection.class);
        while (!isClosed()) {
            PGNotification[] heard = driver.getNotifications((int) SILENCE.toMillis());
            if (heard == null || heard.length == 0) {
                if (!current.isValid(VALIDATION_SECONDS)) {
                    return;
                }
                continue;
            }
            for (PGNotification each : heard) {
                reader.apply(each.getParameter()).forEach(Listener::pass);
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
                log.debug("Could not listen again yet.", e);
                pause(pause);
            }
        }
    }

    /** Nodes that lost the same server do not come back all at once. */
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

    /** Cuts the connection: its thread sits in a read that nothing else ends. */
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
