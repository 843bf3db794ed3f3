package dev.dormouse.server;

import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
import dev.dormouse.store.StoreProvider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Queue;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import javax.sql.DataSource;

/**
 * Opens {@code counted:URL} as the store at {@code URL}, and records the calls that reach its database. Found by the
 * ServiceLoader. The recorded calls are shared by all stores of the process, so tests that count must not run in parallel.
 */
public final class CountedStores implements StoreProvider {
    private static final String PREFIX = "counted:";
    private static final Set<String> WITHOUT_STATEMENT = Set.of("shards", "isExclusive", "pages", "sqlTimers");
    private static final Queue<String> CALLS = new ConcurrentLinkedQueue<>();
    private static volatile Predicate<Thread> counted = thread -> false;

    /** Returns the names of the store methods that matching threads call while {@code body} runs. */
    static List<String> callsDuring(Predicate<Thread> threads, Runnable body) {
        CALLS.clear();
        counted = threads;
        try {
            body.run();
            return List.copyOf(CALLS);
        } finally {
            counted = thread -> false;
        }
    }

    @Override
    public String urlForm() {
        return PREFIX + "URL";
    }

    @Override
    public boolean accepts(String url) {
        return url.startsWith(PREFIX);
    }

    @Override
    public boolean accepts(DataSource dataSource) {
        return false;
    }

    @Override
    public Store open(StoreConfig config) {
        String url = config.url().substring(PREFIX.length());
        Store store = ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.accepts(url))
                .findFirst()
                .orElseThrow()
                .open(new StoreConfig(
                        url, config.dataSource(), config.schema(), config.shards(), config.migrate(), config.clock()));
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    if (counted.test(Thread.currentThread()) && !WITHOUT_STATEMENT.contains(method.getName())) {
                        CALLS.add(method.getName());
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }

    @Override
    public String script(StoreConfig config) {
        throw new UnsupportedOperationException();
    }
}
