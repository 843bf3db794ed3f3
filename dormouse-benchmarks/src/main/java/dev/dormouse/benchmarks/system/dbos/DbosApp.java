package dev.dormouse.benchmarks.system.dbos;

import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.config.DBOSConfig;
import dev.dormouse.benchmarks.database.BenchDatabase;
import dev.dormouse.benchmarks.system.ConnectionPools;

/** A DBOS application on one database, with its pool. */
final class DbosApp implements AutoCloseable {
    private final HikariDataSource pool;
    private final DBOS dbos;

    DbosApp(BenchDatabase database) {
        this.pool = ConnectionPools.to(database);
        this.dbos = new DBOS(DBOSConfig.defaults("bench")
                .withDataSource(pool)
                .withMigrate(true)
                .withAppVersion("1")
                .withUseListenNotify(true));
    }

    DBOS dbos() {
        return dbos;
    }

    @Override
    public void close() {
        dbos.shutdown();
        pool.close();
    }
}
