package dev.dormouse.remote;

import dev.dormouse.store.Store;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
class RemoteSqliteContractTest extends RemoteContract {
    @TempDir
    Path directory;

    private int databases;

    @Override
    Store openBehind(int shards) {
        return Stores.sqlite("sqlite:" + directory.resolve("store-" + databases++ + ".db"), shards);
    }
}
