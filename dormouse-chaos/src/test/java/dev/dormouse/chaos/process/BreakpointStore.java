package dev.dormouse.chaos.process;

import dev.dormouse.chaos.workload.Breakpoint;
import dev.dormouse.chaos.workload.WorkerJournal;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
import dev.dormouse.store.StoreProvider;
import dev.dormouse.store.StoreTransaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.InstantSource;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Stores that stop at a {@link Breakpoint} around the COMMIT of a user's transaction. On PostgreSQL this is a
 * DataSource with such connections, as an application may have. On SQLite, where the engine opens the file itself, it
 * is a wrapper of the store.
 */
public final class BreakpointStore {
    private final WorkerJournal.Writer journal;

    public BreakpointStore(WorkerJournal.Writer journal) {
        this.journal = journal;
    }

    public DataSource onPostgres(String url) {
        PGSimpleDataSource driver = new PGSimpleDataSource();
        driver.setURL(url);
        return proxy(
                DataSource.class,
                driver,
                result -> result instanceof Connection connection
                        ? proxy(Connection.class, connection, UnaryOperator.identity())
                        : result);
    }

    public Store onSqlite(String url) {
        StoreConfig config = new StoreConfig(url, Optional.empty(), "dormouse", 1, true, InstantSource.system());
        Store real = ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.accepts(url))
                .findFirst()
                .orElseThrow()
                .open(config);
        return proxy(
                Store.class,
                real,
                result -> result instanceof StoreTransaction transaction
                        ? proxy(StoreTransaction.class, transaction, UnaryOperator.identity())
                        : result);
    }

    /**
     * Wraps {@code target}: its method {@code commit} stops at the breakpoints. The method of that name of a {@link
     * Store} is another one.
     */
    private <T> T proxy(Class<T> type, T target, UnaryOperator<Object> exchange) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    boolean commits = method.getName().equals("commit") && type != Store.class;
                    if (commits) {
                        Breakpoint.atCommit(Breakpoint.Point.BEFORE_COMMIT, journal);
                    }
                    Object result = invoke(method, target, arguments);
                    if (commits) {
                        Breakpoint.atCommit(Breakpoint.Point.AFTER_COMMIT, journal);
                    }
                    return exchange.apply(result);
                }));
    }

    private static Object invoke(Method method, Object target, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
