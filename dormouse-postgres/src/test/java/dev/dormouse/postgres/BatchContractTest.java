package dev.dormouse.postgres;

import dev.dormouse.store.Store;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.HistoryAppend;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.OutboxFence;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The contract for entries that are never alone. A start, commit or append that is alone has a statement of its own. Here
 * each of them gets a companion that is refused, so that it passes through the statement for batches.
 */
class BatchContractTest extends PostgresStoreContractTest {
    private static final Map<String, Supplier<Object>> COMPANIONS = Map.of(
            "start",
            () -> Runs.leased("companion", 1).under(new OutboxFence(Fence.ANY_EPOCH, Instant.EPOCH)),
            "commit",
            () -> new Commit(UUID.randomUUID(), Fence.of(1, 1), Append.nothing(0), 0, NextState.running(1), List.of()),
            "append",
            () -> new HistoryAppend(UUID.randomUUID(), 1, "another epoch", Runs.events(1)));

    private Store alone;

    @Override
    protected Store open(int shards) throws SQLException {
        alone = super.open(shards);
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    Supplier<Object> companion = COMPANIONS.get(method.getName());
                    return companion != null && arguments[1] instanceof List<?> batch && batch.size() == 1
                            ? withCompanion(method, (int) arguments[0], batch.get(0), companion.get())
                            : call(method, arguments);
                });
    }

    /** Returns the outcome of the entry without that of its companion. */
    private List<?> withCompanion(Method method, int shard, Object entry, Object companion) throws Throwable {
        List<?> outcomes = (List<?>) call(method, shard, List.of(entry, companion));
        return outcomes.subList(0, 1);
    }

    private Object call(Method method, Object... arguments) throws Throwable {
        try {
            return method.invoke(alone, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }

    @Override
    protected void close(Store opened) {
        super.close(alone);
    }
}
