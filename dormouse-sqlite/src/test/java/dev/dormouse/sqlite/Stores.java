package dev.dormouse.sqlite;

import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Optional;

/** Opens stores as a user's configuration would, and files as a user's own code would. */
final class Stores {
    private Stores() {}

    static Store open(Path file) {
        return open(file, 1);
    }

    static Store open(Path file, int shards) {
        return open("sqlite:" + file, shards);
    }

    static Store open(String url, int shards) {
        return open(config(url, shards, InstantSource.system()));
    }

    static Store open(StoreConfig config) {
        return new SqliteStoreProvider().open(config);
    }

    static StoreConfig config(String url, int shards, InstantSource clock) {
        return new StoreConfig(url, Optional.empty(), "dormouse", shards, true, clock);
    }

    /** A user's own connection to the file. */
    static Connection connect(Path file) throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + file);
    }
}
