package dev.dormouse.sqlite;

import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
import dev.dormouse.store.StoreProvider;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Opens stores in SQLite files: {@code sqlite:FILE}, {@code jdbc:sqlite:FILE}, or a DataSource of such a file; and in
 * memory, for tests: {@code sqlite::memory:}. One process at a time can have a file open. While it has, {@code FILE.lock}
 * is beside it; a process that was killed leaves that behind, which does no harm.
 */
public final class SqliteStoreProvider implements StoreProvider {

    @Override
    public String urlForm() {
        return Location.URL_FORM;
    }

    @Override
    public boolean accepts(String url) {
        return Location.isUrl(url);
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
        Location location =
                config.dataSource().map(Location::ofDataSource).orElseGet(() -> Location.ofUrl(config.url()));
        return Opening.open(location, config);
    }

    @Override
    public String script(StoreConfig config) {
        return Schema.print(config.shards());
    }
}
