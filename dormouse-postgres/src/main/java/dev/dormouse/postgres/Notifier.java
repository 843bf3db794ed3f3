package dev.dormouse.postgres;

import dev.dormouse.store.Notice;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends notices with NOTIFY, after the commits that they speak of and from a connection of its own: inside the commits it
 * would halve their throughput, because PostgreSQL lets one notifying transaction commit at a time.
 *
 * <p>Whatever piled up while the last ones were on their way goes as one statement. What cannot be sent is lost: every
 * node sweeps, so that a notice saves time and nothing depends on it.
 */
final class Notifier implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Notifier.class);
    private static final long CLOSE_MILLIS = 2_000;

    private final DataSource connections;
    private final String channel;
    private final Thread thread;
    private final NoticePile pile = new NoticePile();
    private boolean closed;

    Notifier(DataSource connections, Schema schema) {
        this.connections = connections;
        this.channel = schema.channel();
        this.thread = new Thread(this::sendUntilClosed, "dormouse-notify");
        thread.setDaemon(true);
        thread.start();
    }

    synchronized void add(List<Notice> notices) {
        notices.forEach(pile::add);
        notifyAll();
    }

    private void sendUntilClosed() {
        for (Optional<List<String>> payloads = take(); payloads.isPresent(); payloads = take()) {
            send(payloads.get());
        }
    }

    /** Waits until there is something to send; empty when there never will be. */
    private synchronized Optional<List<String>> take() {
        try {
            while (pile.isEmpty() && !closed) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
        return pile.isEmpty() ? Optional.empty() : Optional.of(pile.removeAll());
    }

    private void send(List<String> payloads) {
        try (Connection connection = connections.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("select pg_notify(?, payload) from unnest(?::text[]) payload")) {
            new Params(statement).text(channel).texts(payloads);
            statement.executeQuery().close();
        } catch (SQLException e) {
            log.debug("Could not send notices; the others will learn of it at their next sweep.", e);
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
