package dev.dormouse.postgres;

import dev.dormouse.postgres.connect.Pools;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.SqlTransactionContract;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
import dev.dormouse.store.StoreContract;
import dev.dormouse.store.UserRows;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;

/**
 * The engine's role, a URL, and a server whose time zone is 5:45 hours from UTC.
 *
 * <p>Opening connections and creating tables takes longer than most of these tests. So they share the connections, and a
 * schema for each number of shards, which is emptied before each test. The stores themselves are new in each test.
 */
class PostgresStoreContractTest extends StoreContract implements SqlTransactionContract {
    private static final Map<Integer, String> SCHEMAS = new ConcurrentHashMap<>();
    private static final Pools POOLS = Pools.toUrl(TestPostgres.url());
    private static final Pools PEER_POOLS = Pools.toUrl(TestPostgres.url());

    private Store peer;
    private String schema;

    @Override
    protected Store open(int shards) throws SQLException {
        schema = SCHEMAS.computeIfAbsent(shards, unused -> TestPostgres.newSchema());
        TestPostgres.empty(schema);
        Store store = open(POOLS, shards);
        peer = open(PEER_POOLS, shards);
        return store;
    }

    private Store open(Pools pools, int shards) throws SQLException {
        StoreConfig config =
                new StoreConfig(TestPostgres.url(), Optional.empty(), schema, shards, true, InstantSource.system());
        return PostgresStore.open(pools, new Schema(schema), config);
    }

    /** Keeps the connections. */
    @Override
    protected void close(Store opened) {
        ((PostgresStore) opened).closeAllButPools();
        ((PostgresStore) peer).closeAllButPools();
    }

    @AfterAll
    static void closePools() {
        POOLS.close();
        PEER_POOLS.close();
    }

    @Override
    public Store peer() {
        return peer;
    }

    /** In the schema where the engine's role may create one. */
    @Override
    public UserRows userRows() {
        return UserRows.inTable(schema + ".mine");
    }
}
