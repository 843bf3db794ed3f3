package dev.dormouse.sqlite;

import dev.dormouse.store.SqlTransactionContract;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreContract;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/** In memory, and on a clock that stands still unless a test moves it. */
class SqliteMemoryContractTest extends StoreContract implements SqlTransactionContract {
    private final AtomicReference<Instant> clock = new AtomicReference<>(Instant.parse("2026-03-01T10:00:00Z"));

    @Override
    protected Store open(int shards) {
        return Stores.open(Stores.config("sqlite::memory:", shards, clock::get));
    }

    @Override
    public void passTime(Duration time) {
        clock.updateAndGet(now -> now.plus(time));
    }
}
