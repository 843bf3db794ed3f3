package dev.dormouse.postgres.notify;

import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.base.Notice;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A sender of notices with NOTIFY. It uses its own connection, after the commits that the notices refer to. Inside
 * those commits, NOTIFY would halve their throughput, because PostgreSQL lets only one notifying transaction commit at
 * a time.
 *
 * <p>Notices that arrive while others are being sent are sent together, in one statement. Notices that cannot be sent
 * are lost: every node sweeps, so a notice saves time and correctness does not depend on it.
 *
 * <p>Concurrency: any thread may call {@link #add}, which does not wait for the database; one thread sends. {@code
 * pending} and {@code closed} are guarded by the lock of this object. {@link #close} waits up to two seconds for
 * pending notices.
 */
public final class Notifier implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Notifier.class);
    private static final long CLOSE_MILLIS = 2_000;

    private final DataSource connections;
    private final String channel;
    private final Thread thread;
    private final PendingNotices pending = new PendingNotices();
    private boolean closed;

    public Notifier(DataSource connections, Schema schema) {
        this.connections = connections;
        this.channel = schema.channel();
        this.thread = new Thread(this::sendUntilClosed, "dormouse-notify");
        thread.setDaemon(true);
        thread.start();
    }

    public synchronized void add(List<Notice> notices) {
        notices.forEach(pending::add);
        notifyAll();
    }

    private void sendUntilClosed() {
        for (Optional<List<String>> payloads = take(); payloads.isPresent(); payloads = take()) {
            send(payloads.get());
        }
    }

    /** Waits for notices to send; empty once this is closed and nothing is pending. */
    private synchronized Optional<List<String>> take() {
        try {
            while (pending.isEmpty() && !closed) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
        return pending.isEmpty() ? Optional.empty() : Optional.of(pending.removeAll());
    }

    private void send(List<String> payloads) {
        try (Connection connection = connections.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("select pg_notify(?, payload) from unnest(?::text[]) payload")) {
            new Params(statement).text(channel).texts(payloads);
            statement.executeQuery().close();
        } catch (SQLException e) {
            log.debug("Could not send notices; other nodes find the changes by their next sweep.", e);
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
