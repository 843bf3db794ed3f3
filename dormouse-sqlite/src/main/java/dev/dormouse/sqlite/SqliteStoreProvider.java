package dev.dormouse.sqlite;

import dev.dormouse.sqlite.connect.DatabaseLocation;
import dev.dormouse.sqlite.sql.Schema;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
import dev.dormouse.store.StoreProvider;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * A provider of stores in SQLite files: {@code sqlite:FILE}, {@code jdbc:sqlite:FILE}, or a DataSource of such a file;
 * and in memory, for tests: {@code sqlite::memory:}. One process at a time can open a file. Meanwhile {@code FILE.lock}
 * exists beside it; a process that was killed leaves the lock file behind, which is harmless.
 */
public final class SqliteStoreProvider implements StoreProvider {

    @Override
    public String urlForm() {
        return DatabaseLocation.URL_FORM;
    }

    @Override
    public boolean accepts(String url) {
        return DatabaseLocation.isUrl(url);
    }

    @Override
    public boolean accepts(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            return connection.getMetaData().getDatabaseProductName().equals("SQLite");
        } catch (SQLException e) {
            return false;
        }
    }

    @Override
    public Store open(StoreConfig config) {
        DatabaseLocation location = config.dataSource()
                .map(DatabaseLocation::ofDataSource)
                .orElseGet(() -> DatabaseLocation.ofUrl(config.url()));
        return StoreOpening.open(location, config);
    }

    @Override
    public String script(StoreConfig config) {
        return Schema.print(config.shards());
    }
}
