package dev.dormouse.testing.memory;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.jdbc.GuardedConnection;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLFeatureNotSupportedException;
import java.util.ArrayList;
import java.util.List;

/**
 * A transaction whose {@link UserTable} rows are stored together with a commit. Its connection gives access to that
 * table only.
 */
final class MemoryTransaction implements StoreTransaction {
    private final MemoryStore store;
    private final int shard;
    private final List<String> added = new ArrayList<>();
    private final GuardedConnection guard;
    private boolean hasEnded;

    MemoryTransaction(MemoryStore store, int shard) {
        this.store = store;
        this.shard = shard;
        this.guard = new GuardedConnection((Connection) Proxy.newProxyInstance(
                MemoryTransaction.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, args) -> answer(method, args)));
    }

    private Object answer(Method method, Object[] args) throws SQLFeatureNotSupportedException {
        switch (method.getName()) {
            case "toString":
                return "connection to a store in memory";
            case "isClosed":
                return false;
            case "isWrapperFor":
                return args[0] == UserTable.class;
            case "unwrap":
                if (args[0] == UserTable.class) {
                    return new Added();
                }
                break;
            default:
                break;
        }
        throw new SQLFeatureNotSupportedException("Expected unwrap(Ledger.class), but got " + method.getName()
                + ". A store in memory knows no SQL: use one in a database.");
    }

    private final class Added implements UserTable {
        @Override
        public void add(String row) {
            checkOpen();
            added.add(row);
        }

        @Override
        public List<String> rows() {
            checkOpen();
            List<String> all = new ArrayList<>(store.userRows());
            all.addAll(added);
            return List.copyOf(all);
        }
    }

    private void checkOpen() {
        if (hasEnded) {
            throw new DormouseException(
                    ErrorCode.NOT_ALLOWED_HERE,
                    "Expected an open transaction, but this one has ended. Begin a new one.");
        }
    }

    @Override
    public Connection connection() {
        return guard.connection();
    }

    @Override
    public CommitOutcome commit(Commit commit) {
        checkOpen();
        close();
        return store.commit(shard, commit, added);
    }

    @Override
    public void close() {
        hasEnded = true;
        guard.end();
    }
}
