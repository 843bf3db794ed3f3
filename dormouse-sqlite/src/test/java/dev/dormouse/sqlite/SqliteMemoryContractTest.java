package dev.dormouse.sqlite;

import dev.dormouse.store.Store;
import dev.dormouse.store.StoreContract;

class SqliteMemoryContractTest extends StoreContract {

    @Override
    protected Store open(int shards) {
        return Stores.open("sqlite::memory:", shards);
    }
}
