package dev.dormouse.sqlite;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.sqlite.claim.VoidLeases;
import dev.dormouse.sqlite.connect.ConnectionFactory;
import dev.dormouse.sqlite.connect.ConnectionRole;
import dev.dormouse.sqlite.connect.ConnectionSource;
import dev.dormouse.sqlite.connect.DatabaseLocation;
import dev.dormouse.sqlite.connect.FileIdentity;
import dev.dormouse.sqlite.connect.FileOwner;
import dev.dormouse.sqlite.connect.ReadAccess;
import dev.dormouse.sqlite.connect.ReaderPool;
import dev.dormouse.sqlite.connect.WriteConnection;
import dev.dormouse.sqlite.sql.Schema;
import dev.dormouse.sqlite.sql.SqlErrors;
import dev.dormouse.sqlite.sql.SqlSession;
import dev.dormouse.sqlite.sql.Tx;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The opening of a store for a URL. Releases everything again if one part fails. */
final class StoreOpening {
    private static final Logger LOG = LoggerFactory.getLogger(StoreOpening.class);

    private StoreOpening() {}

    static Store open(DatabaseLocation location, StoreConfig config) {
        try {
            if (location.file().isEmpty()) {
                return inMemory(location, config);
            }
            return config.readOnly() ? toRead(location, config) : inFile(location.resolved(), config);
        } catch (SQLException e) {
            throw SqlErrors.of(location.name(), e);
        }
    }

    private static Store inFile(DatabaseLocation location, StoreConfig config) throws SQLException {
        Path file = location.file().orElseThrow();
        FileOwner owner = FileOwner.of(file);
        boolean isOpen = false;
        try {
            FileIdentity identity = FileIdentity.of(file);
            WriteConnection writer = new WriteConnection(
                    identity.guard(ConnectionFactory.toFile(file, ConnectionRole.WRITER)),
                    Optional.of(identity.guard(ConnectionFactory.toFile(file, ConnectionRole.USER))),
                    config.clock(),
                    identity);
            int shards = prepare(ConnectionFactory.toFile(file, ConnectionRole.SETUP), location, config, writer.now());
            ReadAccess readers = identity.guard(
                    new ReaderPool(identity.guard(ConnectionFactory.toFile(file, ConnectionRole.READER))));
            Store store = new SqliteStore(location, shards, writer, readers, owner::close);
            isOpen = true;
            return store;
        } finally {
            if (!isOpen) {
                owner.close();
            }
        }
    }

    /**
     * Opens a file for reading. Does not take ownership, so that the process that owns the file continues undisturbed.
     */
    private static Store toRead(DatabaseLocation location, StoreConfig config) throws SQLException {
        Path file = location.file().orElseThrow();
        if (!Files.exists(file)) {
            throw new DormouseException(
                    ErrorCode.UNKNOWN_STORE,
                    "Expected a file " + file + " to read, but there is none. Check its name, and where you are.");
        }
        ConnectionSource source =
                ConnectionFactory.toFile(location.resolved().file().orElseThrow(), ConnectionRole.READER);
        WriteConnection writer = new WriteConnection(
                StoreOpening::refuse, Optional.of(StoreOpening::refuse), config.clock(), FileIdentity.NONE);
        try (Connection connection = source.open()) {
            Schema.prepare(connection, location.name(), config);
            int shards = Schema.shards(new SqlSession(connection));
            return new SqliteStore(location, shards, writer, new ReaderPool(source), () -> {});
        }
    }

    private static Connection refuse() {
        throw new DormouseException(
                ErrorCode.READ_ONLY,
                "Expected a store that may be changed, but it was opened to be read only. Open it without readOnly().");
    }

    private static int prepare(ConnectionSource source, DatabaseLocation location, StoreConfig config, long now)
            throws SQLException {
        try (Connection connection = source.open()) {
            Schema.prepare(connection, location.name(), config);
            SqlSession session = new SqlSession(connection);
            int held = VoidLeases.apply(new Tx(session, 0, now));
            if (held > 0) {
                LOG.info("{} runs were executing when {} was last in use; they resume now.", held, location.name());
            }
            return Schema.shards(session);
        }
    }

    private static Store inMemory(DatabaseLocation location, StoreConfig config) throws SQLException {
        Connection connection = ConnectionFactory.toMemory();
        WriteConnection writer =
                new WriteConnection(() -> connection, Optional.empty(), config.clock(), FileIdentity.NONE);
        Schema.prepare(connection, location.name(), config);
        int shards = writer.read(Schema::shards);
        return new SqliteStore(location, shards, writer, writer, () -> {});
    }
}
