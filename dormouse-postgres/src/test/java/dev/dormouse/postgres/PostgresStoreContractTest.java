package dev.dormouse.postgres;

import dev.dormouse.store.Store;
import dev.dormouse.store.StoreContract;

/** The engine's role, a URL, and a server whose time zone is 5:45 hours from UTC. */
class PostgresStoreContractTest extends StoreContract {
    private Store peer;

    @Override
    protected Store open(int shards) {
        String schema = TestPostgres.newSchema();
        Store store = TestPostgres.open(schema, shards);
        peer = TestPostgres.open(schema, shards);
        return store;
    }

    @Override
    public Store peer() {
        return peer;
    }

    @Override
    protected void cleanUp() {
        peer.close();
    }
}
