package dev.dormouse.postgres;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * A DataSource that records the statements executed on its connections: each is a round trip, and commits by itself
 * while autocommit is on. Notices of the server, such as the plan it used, are recorded too.
 */
final class Recorder {
    /**
     * A statement as it was executed.
     *
     * @param autoCommit whether it committed by itself
     * @param notices the notices of the server
     */
    record Executed(String sql, boolean autoCommit, String notices) {}

    private final DataSource source;
    private final List<Executed> executed = Collections.synchronizedList(new ArrayList<>());

    Recorder(DataSource source) {
        this.source = source;
    }

    DataSource dataSource() {
        return proxy(
                DataSource.class,
                source,
                (method, args, result) -> result instanceof Connection connection ? record(connection) : result);
    }

    /** Returns the statements since the last call, without the session set-up. */
    List<Executed> take() {
        synchronized (executed) {
            List<Executed> taken = executed.stream()
                    .filter(statement -> statement.sql.startsWith("with ")
                            || (!statement.sql.contains("set_config")
                                    && !statement.sql.contains("current_setting(name")))
                    .toList();
            executed.clear();
            return taken;
        }
    }

    private Connection record(Connection connection) {
        return proxy(Connection.class, connection, (method, args, result) -> {
            if (method.getName().equals("commit") || method.getName().equals("rollback")) {
                executed.add(new Executed(method.getName(), false, notices(connection.getWarnings())));
                connection.clearWarnings();
            }
            if (result instanceof PreparedStatement statement) {
                return record(PreparedStatement.class, statement, (String) args[0]);
            }
            return result instanceof Statement statement ? record(Statement.class, statement, "") : result;
        });
    }

    private <S extends Statement> S record(Class<S> type, S statement, String prepared) {
        return proxy(type, statement, (method, args, result) -> {
            if (method.getName().startsWith("execute")) {
                String sql = args == null ? prepared : (String) args[0];
                String notices = notices(statement.getWarnings());
                executed.add(new Executed(sql, statement.getConnection().getAutoCommit(), notices));
            }
            return result;
        });
    }

    private static String notices(SQLWarning first) {
        List<String> all = new ArrayList<>();
        for (SQLWarning warning = first; warning != null; warning = warning.getNextWarning()) {
            all.add(warning.getMessage());
        }
        return all.stream().collect(Collectors.joining("\n"));
    }

    @FunctionalInterface
    private interface After {
        Object apply(Method method, Object[] args, Object result) throws SQLException;
    }

    private static <T> T proxy(Class<T> type, T target, After after) {
        return type.cast(Proxy.newProxyInstance(
                Recorder.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
                    try {
                        return after.apply(method, args, method.invoke(target, args));
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                }));
    }
}
