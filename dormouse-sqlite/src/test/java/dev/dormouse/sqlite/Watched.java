package dev.dormouse.sqlite;

import dev.dormouse.sqlite.connect.ConnectionSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Connections whose statements are written down as they are executed, and can be made to fail. */
final class Watched {
    final List<String> executed = Collections.synchronizedList(new ArrayList<>());
    private volatile Fault fault = (sql, isDone) -> {};

    /** Called before and after each statement. */
    @FunctionalInterface
    interface Fault {
        void at(String sql, boolean isDone) throws SQLException;
    }

    void failing(Fault next) {
        fault = next;
    }

    ConnectionSource around(ConnectionSource source) {
        return () -> watch(source.open());
    }

    private Connection watch(Connection connection) {
        return proxy(Connection.class, (method, arguments) -> {
            Object result = method.invoke(connection, arguments);
            return result instanceof PreparedStatement statement ? watch(statement, (String) arguments[0]) : result;
        });
    }

    private PreparedStatement watch(PreparedStatement statement, String sql) {
        return proxy(PreparedStatement.class, (method, arguments) -> {
            if (!method.getName().startsWith("execute")) {
                return method.invoke(statement, arguments);
            }
            executed.add(sql);
            fault.at(sql, false);
            Object result = method.invoke(statement, arguments);
            fault.at(sql, true);
            return result;
        });
    }

    @FunctionalInterface
    private interface Handler {
        Object handle(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Handler handler) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return handler.handle(method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
