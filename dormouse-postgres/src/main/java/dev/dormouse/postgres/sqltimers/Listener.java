package dev.dormouse.postgres.sqltimers;

import dev.dormouse.engine.Gate;
import dev.dormouse.engine.Threads;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection on which the node hears of timers and changes. One that dies is replaced, and then the node is told that
 * there was a gap.
 */
final class Listener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);
    private static final Duration SILENCE = Duration.ofMinutes(1);
    private static final int PING_SECONDS = 5;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final Logins logins;
    private final Consumer<String> receiver;
    private final Runnable gap;
    private final Gate pause;
    private @Nullable Connection connection;
    private boolean closed;

    Listener(Logins logins, Threads threads, Consumer<String> receiver, Runnable gap) {
        this.logins = logins;
        this.receiver = receiver;
        this.gap = gap;
        this.pause = threads.newGate();
    }

    /** Listens from now on. */
    void start(Threads threads) throws SQLException {
        Connection first = open();
        threads.startEngine("timers-listen", () -> hearUntilClosed(first));
    }

    private Connection open() throws SQLException {
        Connection opened = logins.openListening();
        try (Statement statement = opened.createStatement()) {
            statement.execute("listen dormouse_timers");
        } catch (SQLException e) {
            opened.close();
            throw e;
        }
        keep(opened);
        return opened;
    }

    private synchronized void keep(Connection opened) throws SQLException {
        connection = opened;
        if (closed) {
            opened.close();
        }
    }

    private void hearUntilClosed(Connection first) {
        Connection current = first;
        Duration next = FIRST_PAUSE;
        while (!isClosed()) {
            try (Connection open = current) {
                next = FIRST_PAUSE;
                hear(open);
            } catch (SQLException e) {
                LOG.debug("Lost the connection that listens.", e);
            }
            while (!isClosed()) {
                try {
                    current = open();
                    gap.run();
                    break;
                } catch (SQLException e) {
                    LOG.debug("Could not listen again yet.", e);
                    pause.pass(next);
                    next = next.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? next.multipliedBy(2) : LONGEST_PAUSE;
                }
            }
        }
    }

    private void hear(Connection open) throws SQLException {
        PGConnection driver = open.unwrap(PGConnection.class);
        while (!isClosed()) {
            PGNotification @Nullable [] heard = driver.getNotifications((int) SILENCE.toMillis());
            if (heard == null || heard.length == 0) {
                if (!open.isValid(PING_SECONDS)) {
                    return;
                }
                continue;
            }
            for (PGNotification each : heard) {
                receiver.accept(each.getParameter());
            }
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Cuts the connection: its thread sits in a read that nothing else ends. */
    @Override
    public synchronized void close() {
        closed = true;
        pause.open();
        if (connection != null) {
            try {
                connection.abort(Runnable::run);
            } catch (SQLException e) {
                LOG.debug("Could not cut the connection that listens.", e);
            }
        }
    }
}
