package dev.dormouse.benchmarks.system;

import com.zaxxer.hikari.HikariDataSource;
import dev.dormouse.benchmarks.database.Database;

/** Connections for an engine that brings no pool of its own, or one that is too small. */
public final class Pool {
    private Pool() {}

    public static HikariDataSource to(Database database) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(database.url());
        pool.setMaximumPoolSize(Contender.CONNECTIONS);
        pool.setMinimumIdle(Contender.CONNECTIONS);
        pool.setConnectionTimeout(60_000);
        pool.addDataSourceProperty("reWriteBatchedInserts", "true");
        return pool;
    }
}
