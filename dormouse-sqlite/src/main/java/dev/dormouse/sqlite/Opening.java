package dev.dormouse.sqlite;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that happens between a URL and a store in use, and is undone when a part of it fails. */
final class Opening {
    private static final Logger LOG = LoggerFactory.getLogger(Opening.class);

    private Opening() {}

    static Store open(Location location, StoreConfig config) {
        try {
            if (location.file().isEmpty()) {
                return inMemory(location, config);
            }
            return config.readOnly() ? toRead(location, config) : inFile(location.resolved(), config);
        } catch (SQLException e) {
            throw Failures.of(location.name(), e);
        }
    }

    private static Store inFile(Location location, StoreConfig config) throws SQLException {
        Path file = location.file().orElseThrow();
        Owner owner = Owner.of(file);
        boolean isOpen = false;
        try {
            FileIdentity identity = FileIdentity.of(file);
            Writer writer = new Writer(
                    identity.guard(Connections.toFile(file, Role.WRITER)),
                    Optional.of(identity.guard(Connections.toFile(file, Role.USER))),
                    config.clock(),
                    identity);
            int shards = prepare(Connections.toFile(file, Role.SETUP), location, config, writer.now());
            Reads readers = identity.guard(new Readers(identity.guard(Connections.toFile(file, Role.READER))));
            Store store = new SqliteStore(location, shards, writer, readers, owner::close);
            isOpen = true;
            return store;
        } finally {
            if (!isOpen) {
                owner.close();
            }
        }
    }

    /** Owns nothing, so that the process that has the file open goes on with it. */
    private static Store toRead(Location location, StoreConfig config) throws SQLException {
        Path file = location.file().orElseThrow();
        if (!Files.exists(file)) {
            throw new DormouseException(
                    ErrorCode.UNKNOWN_STORE,
                    "Expected a file " + file + " to read, but there is none. Check its name, and where you are.");
        }
        ConnectionSource source = Connections.toFile(location.resolved().file().orElseThrow(), Role.READER);
        Writer writer = new Writer(Opening::refuse, Optional.of(Opening::refuse), config.clock(), FileIdentity.NONE);
        try (Connection connection = source.open()) {
            Schema.prepare(connection, location.name(), config);
            int shards = Schema.shards(new Session(connection));
            return new SqliteStore(location, shards, writer, new Readers(source), () -> {});
        }
    }

    private static Connection refuse() {
        throw new DormouseException(
                ErrorCode.READ_ONLY,
                "Expected a store that may be changed, but it was opened to be read only. Open it without readOnly().");
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
        Writer writer = new Writer(() -> connection, Optional.empty(), config.clock(), FileIdentity.NONE);
        Schema.prepare(connection, location.name(), config);
        int shards = writer.read(Schema::shards);
        return new SqliteStore(location, shards, writer, writer, () -> {});
    }
}
