package dev.dormouse.store;

import java.time.InstantSource;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The configuration with which a store is opened, by URL or on a given DataSource.
 *
 * @param schema the schema of Dormouse's tables, if the database has schemas
 * @param shards the number of shards of a new database
 * @param migrate true to create or upgrade the tables; if false, an old schema is an error
 * @param readOnly true if the store changes nothing, and other processes may use the database at the same time
 * @param clock the clock for a store without a clock of its own
 */
public record StoreConfig(
        String url,
        Optional<DataSource> dataSource,
        String schema,
        int shards,
        boolean migrate,
        boolean readOnly,
        InstantSource clock) {

    /** Creates the configuration of a store that can be written: {@code readOnly} is false. */
    public StoreConfig(
            String url,
            Optional<DataSource> dataSource,
            String schema,
            int shards,
            boolean migrate,
            InstantSource clock) {
        this(url, dataSource, schema, shards, migrate, false, clock);
    }

    /** Returns a description without the password that the URL may contain. */
    @Override
    public String toString() {
        return "StoreConfig["
                + dataSource.map(Object::getClass).map(Class::getName).orElse(StoreUrl.masked(url)) + ", schema "
                + schema + ", " + shards + " shards, migrate " + migrate + "]";
    }
}
