package dev.dormouse.postgres.connect;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections that HikariCP finds broken without writing a log line. When HikariCP checks a connection, it sets a
 * network timeout before and after {@link Connection#isValid}. The driver refuses that on a connection that has broken,
 * and HikariCP logs the refusal as a WARN. Here a network timeout of a broken connection is ignored, so that the result
 * of {@code isValid} decides. HikariCP does not log that result.
 */
final class QuietConnections {
    private QuietConnections() {}

    /** Returns a DataSource with connections of the given one. */
    static DataSource of(DataSource source) {
        return proxy(DataSource.class, (method, arguments) -> {
            Object result = invoke(source, method, arguments);
            return result instanceof Connection connection ? quiet(connection) : result;
        });
    }

    private static Connection quiet(Connection connection) {
        return proxy(Connection.class, (method, arguments) -> {
            boolean isIgnored = method.getName().equals("setNetworkTimeout") && connection.isClosed();
            return isIgnored ? null : invoke(connection, method, arguments);
        });
    }

    private interface Calls {
        @Nullable
        Object call(Method method, Object @Nullable [] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Calls calls) {
        return type.cast(Proxy.newProxyInstance(
                QuietConnections.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> calls.call(method, arguments)));
    }

    private static @Nullable Object invoke(Object target, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
