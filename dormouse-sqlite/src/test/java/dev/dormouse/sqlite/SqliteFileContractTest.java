package dev.dormouse.sqlite;

import dev.dormouse.store.SqlTransactionContract;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("disk")
class SqliteFileContractTest extends StoreContract implements SqlTransactionContract {
    @TempDir
    Path directory;

    private int databases;

    @Override
    protected Store open(int shards) {
        return Stores.open(directory.resolve("store-" + databases++ + ".db"), shards);
    }
}
