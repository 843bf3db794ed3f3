package dev.dormouse.remote;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.remote.wire.ServerAddress;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
import dev.dormouse.store.StoreProvider;
import javax.sql.DataSource;

/**
 * A provider of stores behind a Dormouse server: {@code dormouse://HOST:PORT}. Several addresses lead to servers of the
 * same store; the next one is used when a server does not answer.
 */
public final class RemoteStoreProvider implements StoreProvider {

    @Override
    public String urlForm() {
        return ServerAddress.URL_FORM;
    }

    @Override
    public boolean accepts(String url) {
        return ServerAddress.isUrl(url);
    }

    /** Returns false: a server is not a database. */
    @Override
    public boolean accepts(DataSource dataSource) {
        return false;
    }

    /** Opens a store. The server decides on its schema and shards, so these settings are ignored. */
    @Override
    public Store open(StoreConfig config) {
        return RemoteStore.open(ServerAddress.ofUrl(config.url()));
    }

    @Override
    public String script(StoreConfig config) {
        throw new DormouseException(
                ErrorCode.NOT_SUPPORTED_BY_STORE,
                "Expected a database, but the URL leads to a Dormouse server, which creates its tables itself. "
                        + "Use the URL of the server's database.");
    }
}
