package dev.dormouse.remote;

import dev.dormouse.store.Store;

class RemoteMemoryContractTest extends RemoteContract {
    @Override
    Store openBehind(int shards) {
        return Stores.sqlite("sqlite::memory:", shards);
    }
}
