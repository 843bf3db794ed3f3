package dev.dormouse.sqlite;

import dev.dormouse.error.DormouseException;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that happens between a URL and a store in use, and is undone when a part of it fails. */
final class Opening {
    private static final Logger LOG = LoggerFactory.getLogger(Opening.class);

    /** How long a batch waits for a transaction of the user's. */
    private static final Duration MOMENT = Duration.ofMillis(250);

    /** How long it may take until the file can be opened, or read while SQLite recovers it. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private Opening() {}

    static Store open(Location location, StoreConfig config) {
        try {
            return location.file().isPresent() ? inFile(location.resolved(), config) : inMemory(location, config);
        } catch (SQLException e) {
            throw Failures.of(location.name(), e);
        }
    }

    private static Store inFile(Location location, StoreConfig config) throws SQLException {
        Path file = location.file().orElseThrow();
        Owner owner = Owner.of(file);
        try {
            ConnectionSource patient = Connections.toFile(file, PATIENCE);
            Writer writer = new Writer(Connections.toFile(file, MOMENT), true, config.clock());
            int shards = prepare(patient, location, config, writer.now());
            return new SqliteStore(location, shards, writer, new Readers(patient), owner::close);
        } catch (SQLException | DormouseException e) {
            owner.close();
            throw e;
        }
    }

    private static int prepare(ConnectionSource source, Location location, StoreConfig config, long now)
            throws SQLException {
        try (Connection connection = source.open()) {
            Schema.prepare(connection, location.name(), config);
            Session session = new Session(connection);
            int held = VoidLeases.apply(new Tx(session, 0, now));
            if (held > 0) {
                LOG.info("{} runs were under way when {} was last in use; they go on now.", held, location.name());
            }
            return Schema.shards(session);
        }
    }

    private static Store inMemory(Location location, StoreConfig config) throws SQLException {
        Connection connection = Connections.toMemory();
        Writer writer = new Writer(() -> connection, false, config.clock());
        Schema.prepare(connection, location.name(), config);
        int shards = writer.read(Schema::shards);
        return new SqliteStore(location, shards, writer, writer, () -> {});
    }
}
