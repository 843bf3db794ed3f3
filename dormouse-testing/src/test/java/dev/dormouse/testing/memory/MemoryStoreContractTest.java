package dev.dormouse.testing.memory;

import dev.dormouse.store.Store;
import dev.dormouse.store.StoreContract;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

class MemoryStoreContractTest extends StoreContract {
    private final AtomicReference<Instant> clock = new AtomicReference<>(Instant.parse("2026-03-01T10:00:00Z"));

    @Override
    protected Store open(int shards) {
        return new MemoryStore(clock::get, shards);
    }

    @Override
    public void passTime(Duration time) {
        clock.updateAndGet(now -> now.plus(time));
    }
}
