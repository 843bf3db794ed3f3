package dev.dormouse.remote;

import dev.dormouse.remote.serve.RemoteServer;
import dev.dormouse.store.SharedStoreContract;
import dev.dormouse.store.Store;

/** The contract of stores with two clients of one server: a store, and its peer. */
abstract class RemoteContract extends SharedStoreContract {
    private Store behind;
    private RemoteServer server;
    private Store peer;

    /** Opens the store of the server, new and empty. */
    abstract Store openBehind(int shards) throws Exception;

    /** Closes the store of the server. */
    void closeBehind(Store opened) {
        opened.close();
    }

    @Override
    protected Store open(int shards) throws Exception {
        behind = openBehind(shards);
        server = RemoteServer.start(behind, "127.0.0.1", 0);
        peer = Stores.remote(server.url());
        return Stores.remote(server.url());
    }

    @Override
    public Store peer() {
        return peer;
    }

    @Override
    protected void cleanUp() {
        peer.close();
        server.close();
        closeBehind(behind);
    }
}
