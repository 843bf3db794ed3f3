package dev.dormouse.postgres;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.postgres.connect.ConnectionBudget;
import dev.dormouse.postgres.connect.Pools;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.postgres.sql.SqlErrors;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
import dev.dormouse.store.StoreProvider;
import dev.dormouse.store.StoreUrl;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.postgresql.Driver;
import org.postgresql.PGConnection;

/**
 * A provider of stores on PostgreSQL 15 to 18: by a JDBC URL, or on any DataSource of the PostgreSQL driver, pooled or
 * not.
 *
 * <p>With a URL, up to 9 connections are opened, and up to 4 more for transactions with users' statements. From a
 * DataSource, up to 7 connections are borrowed, and up to 2 more for such transactions; fewer while there is little
 * work. A DataSource with fewer than 6 connections is refused (DM2011), because some part of the engine would wait
 * forever. A pool that the application uses itself should have 9 connections in addition to its own, and a maximum wait
 * for borrowers. A pooler in front of PostgreSQL must keep sessions together (PgBouncer: {@code pool_mode = session}).
 */
public final class PostgresStoreProvider implements StoreProvider {
    private static final String URL_PREFIX = "jdbc:postgresql:";

    /**
     * Hosts with or without a port, and a database; or a database alone. The name of the database may contain
     * {@code @}.
     */
    private static final Pattern WELL_FORMED =
            Pattern.compile("//(?:(?:\\[[^]@]*]|[^@:,/\\[]*)(?::\\d+)?(?:,|(?=/|$)))*(?:/.*)?|[^:/]*");

    @Override
    public String urlForm() {
        return "jdbc:postgresql://HOST:PORT/DATABASE?user=USER&password=PASSWORD";
    }

    @Override
    public boolean accepts(String url) {
        return url.startsWith(URL_PREFIX);
    }

    @Override
    public boolean accepts(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            return connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
        } catch (SQLException e) {
            ConnectionBudget.checkNotTaken(dataSource, e);
            throw SqlErrors.unavailable(e);
        }
    }

    @Override
    public Store open(StoreConfig config) {
        Schema schema = new Schema(config.schema());
        Pools pools = config.dataSource().map(PostgresStoreProvider::over).orElseGet(() -> toUrl(config.url()));
        try {
            return PostgresStore.open(pools, schema, config);
        } catch (SQLException e) {
            pools.close();
            throw SqlErrors.unavailable(e);
        } catch (RuntimeException e) {
            pools.close();
            throw e;
        }
    }

    @Override
    public String script(StoreConfig config) {
        return schemaSql(config.schema());
    }

    /**
     * Returns all SQL that creates the tables in a schema, to be read, or to be run by hand if the store is opened
     * without migrating. The engine's role must own the schema and its tables, or have all rights on them.
     */
    public static String schemaSql(String schema) {
        return new Schema(schema).script();
    }

    private static Pools toUrl(String url) {
        if (hasUser(url)) {
            throw new DormouseException(
                    ErrorCode.UNKNOWN_STORE,
                    "Expected user and password as parameters of the URL, such as "
                            + new PostgresStoreProvider().urlForm()
                            + ", but got " + StoreUrl.masked(url)
                            + ", which the driver takes for the name of a host. Move them behind the question mark.");
        }
        if (Driver.parseURL(url, null) == null) {
            throw new DormouseException(
                    ErrorCode.UNKNOWN_STORE,
                    "Expected a URL such as " + new PostgresStoreProvider().urlForm()
                            + ", but the PostgreSQL driver does not understand the one given. Check its host, port and "
                            + "parameters.");
        }
        return Pools.toUrl(url);
    }

    /**
     * Returns true for {@code user:password@host}, which the driver reads as a host with a port and writes to the log.
     */
    private static boolean hasUser(String url) {
        int question = url.indexOf('?');
        String place = url.substring(URL_PREFIX.length(), question < 0 ? url.length() : question);
        return place.indexOf('@') >= 0 && !WELL_FORMED.matcher(place).matches();
    }

    private static boolean leadsToDriver(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return connection.isWrapperFor(PGConnection.class);
        }
    }

    private static Pools over(DataSource dataSource) {
        try {
            if (leadsToDriver(dataSource)) {
                return Pools.over(dataSource);
            }
        } catch (SQLException e) {
            ConnectionBudget.checkNotTaken(dataSource, e);
            throw SqlErrors.unavailable(e);
        }
        throw new DormouseException(
                ErrorCode.UNKNOWN_STORE,
                "Expected a DataSource whose connections can be unwrapped to org.postgresql.PGConnection, but this one's "
                        + "cannot. Use the DataSource that it wraps.");
    }
}
