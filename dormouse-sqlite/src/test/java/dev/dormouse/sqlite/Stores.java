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
public final class Stores {
    private Stores() {}

    public static Store open(Path file) {
        return open(file, 1);
    }

    public static Store open(Path file, int shards) {
        return open("sqlite:" + file, shards);
    }

    public static Store open(String url, int shards) {
        return open(config(url, shards, InstantSource.system()));
    }

    public static Store open(StoreConfig config) {
        return new SqliteStoreProvider().open(config);
    }

    static StoreConfig config(String url, int shards, InstantSource clock) {
        return new StoreConfig(url, Optional.empty(), "dormouse", shards, true, clock);
    }

    /** A user's own connection to the file. */
    public static Connection connect(Path file) throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + file);
    }
}
