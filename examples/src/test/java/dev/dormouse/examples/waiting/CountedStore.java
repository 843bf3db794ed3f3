package dev.dormouse.examples.waiting;

import dev.dormouse.sqlite.SqliteStoreProvider;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
import dev.dormouse.store.run.CommitOutcome;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** An in-memory store that counts the commits of runs. */
final class CountedStore {
    private final Store store = new SqliteStoreProvider()
            .open(new StoreConfig("sqlite::memory:", Optional.empty(), "", 1, true, InstantSource.system()));
    private final AtomicInteger commits = new AtomicInteger();

    Store store() {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (proxy, method, arguments) -> call(method, arguments));
    }

    private Object call(Method method, Object[] arguments) throws Throwable {
        try {
            Object answer = method.invoke(store, arguments);
            if (method.getName().equals("commit")) {
                ((List<?>) answer)
                        .stream()
                                .filter(CommitOutcome.Committed.class::isInstance)
                                .forEach(one -> commits.incrementAndGet());
            }
            return answer;
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    int commits() {
        return commits.get();
    }
}
