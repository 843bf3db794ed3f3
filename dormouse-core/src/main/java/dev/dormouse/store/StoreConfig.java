package dev.dormouse.store;

import java.time.InstantSource;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * How to open a store: by URL or on a given DataSource.
 *
 * @param schema the schema of Dormouse's tables, where the database has schemas
 * @param shards how many shards a new database gets
 * @param migrate whether to create or upgrade the tables; otherwise an old schema is an error
 * @param readOnly whether nothing is changed, and others may use the database at the same time
 * @param clock the clock of a store that has none of its own
 */
public record StoreConfig(
        String url,
        Optional<DataSource> dataSource,
        String schema,
        int shards,
        boolean migrate,
        boolean readOnly,
        InstantSource clock) {

    public StoreConfig(
            String url,
            Optional<DataSource> dataSource,
            String schema,
            int shards,
            boolean migrate,
            InstantSource clock) {
        this(url, dataSource, schema, shards, migrate, false, clock);
    }

    /** Without the password that the URL may have. */
    @Override
    public String toString() {
        return "StoreConfig["
                + dataSource.map(Object::getClass).map(Class::getName).orElse(StoreUrl.masked(url)) + ", schema "
                + schema + ", " + shards + " shards, migrate " + migrate + "]";
    }
}
