package dev.dormouse.testing.memory;

import dev.dormouse.store.Store;
import dev.dormouse.store.StoreContract;
import dev.dormouse.store.UserRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

class MemoryStoreContractTest extends StoreContract {
    private final AtomicReference<Instant> clock = new AtomicReference<>(Instant.parse("2026-03-01T10:00:00Z"));

    @Override
    protected Store open(int shards) {
        return new MemoryStore(clock::get, shards);
    }

    @Override
    public UserRows userRows() {
        return new UserRows() {
            @Override
            public void create(Connection connection) {}

            @Override
            public void add(Connection connection, String row) throws SQLException {
                connection.unwrap(UserTable.class).add(row);
            }

            @Override
            public List<String> all(Connection connection) throws SQLException {
                return connection.unwrap(UserTable.class).rows().stream()
                        .sorted()
                        .toList();
            }
        };
    }

    @Override
    public void passTime(Duration time) {
        clock.updateAndGet(now -> now.plus(time));
    }
}
