package dev.dormouse.benchmarks.system;

import com.zaxxer.hikari.HikariDataSource;
import dev.dormouse.benchmarks.database.BenchDatabase;

/** Connection pools for engines that have none, or one that is too small. */
public final class ConnectionPools {
    private ConnectionPools() {}

    public static HikariDataSource to(BenchDatabase database) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(database.url());
        pool.setMaximumPoolSize(Contender.CONNECTIONS);
        pool.setMinimumIdle(Contender.CONNECTIONS);
        pool.setConnectionTimeout(60_000);
        pool.addDataSourceProperty("reWriteBatchedInserts", "true");
        return pool;
    }
}
