package dev.dormouse.chaos;

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
 * Stores that can be {@link Hold held} around the COMMIT of a user's transaction: on PostgreSQL by a DataSource whose
 * connections commit so, as a program's own may; on SQLite, where the engine opens the file by itself, by a store around
 * the real one.
 */
final class HoldingStore {
    private final Journal.Writer journal;

    HoldingStore(Journal.Writer journal) {
        this.journal = journal;
    }

    DataSource onPostgres(String url) {
        PGSimpleDataSource driver = new PGSimpleDataSource();
        driver.setURL(url);
        return proxy(
                DataSource.class,
                driver,
                result -> result instanceof Connection connection
                        ? proxy(Connection.class, connection, UnaryOperator.identity())
                        : result);
    }

    Store onSqlite(String url) {
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

    /** Holds around a method named commit of a connection or a transaction; a store's own is another one. */
    private <T> T proxy(Class<T> type, T target, UnaryOperator<Object> exchange) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    boolean commits = method.getName().equals("commit") && type != Store.class;
                    if (commits) {
                        Hold.atCommit(Hold.Point.BEFORE_COMMIT, journal);
                    }
                    Object result = invoke(method, target, arguments);
                    if (commits) {
                        Hold.atCommit(Hold.Point.AFTER_COMMIT, journal);
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
