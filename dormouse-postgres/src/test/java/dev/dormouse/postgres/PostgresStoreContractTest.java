package dev.dormouse.postgres;

import dev.dormouse.store.SqlTransactionContract;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreContract;
import dev.dormouse.store.UserRows;

/** The engine's role, a URL, and a server whose time zone is 5:45 hours from UTC. */
class PostgresStoreContractTest extends StoreContract implements SqlTransactionContract {
    private Store peer;
    private String schema;

    @Override
    protected Store open(int shards) {
        schema = TestPostgres.newSchema();
        Store store = TestPostgres.open(schema, shards);
        peer = TestPostgres.open(schema, shards);
        return store;
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

    @Override
    protected void cleanUp() {
        peer.close();
    }
}
