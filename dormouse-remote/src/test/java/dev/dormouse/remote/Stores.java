package dev.dormouse.remote;

import dev.dormouse.sqlite.SqliteStoreProvider;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
import java.time.InstantSource;
import java.util.Optional;

/** Opens stores as a user's configuration would. */
public final class Stores {
    private Stores() {}

    /** Opens a SQLite store: {@code sqlite::memory:} or {@code sqlite:FILE}. */
    public static Store sqlite(String url, int shards) {
        return new SqliteStoreProvider().open(config(url, shards));
    }

    /** Opens the store of a server. */
    static Store remote(String url) {
        return new RemoteStoreProvider().open(config(url, 1));
    }

    static StoreConfig config(String url, int shards) {
        return new StoreConfig(url, Optional.empty(), "dormouse", shards, true, InstantSource.system());
    }
}
