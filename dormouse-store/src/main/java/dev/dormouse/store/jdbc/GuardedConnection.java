package dev.dormouse.store.jdbc;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is lent to a user for one transaction, which the user must not end.
 *
 * <p>Calls that would end the transaction or outlast it are refused. Statements, result sets and metadata return the
 * guarded connection, so the user cannot reach the real one. {@link #end} closes the user's statements. After that,
 * every reference that the user has kept fails, because the connection is then used for other work.
 *
 * <p>Not thread-safe, like any connection. {@link #end} may be called by any thread; a call in progress may still
 * complete.
 */
public final class GuardedConnection {
    /**
     * The types whose objects are wrapped when a guarded object returns them. Values such as arrays are not wrapped,
     * because drivers expect their own classes.
     */
    private static final List<Class<?>> KINDS = List.of(
            Connection.class,
            CallableStatement.class,
            PreparedStatement.class,
            Statement.class,
            ResultSet.class,
            DatabaseMetaData.class);

    private static final Set<String> NOT_THE_USERS =
            Set.of("commit", "abort", "setAutoCommit", "setReadOnly", "setTransactionIsolation");

    private final Set<Statement> statements = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Connection connection;
    private volatile boolean hasEnded;

    public GuardedConnection(Connection lent) {
        this.connection = (Connection) proxy(List.of(Connection.class), new OfConnection(lent));
    }

    /** Returns the connection for the user. */
    public Connection connection() {
        return connection;
    }

    /** Closes the user's statements and refuses every call from now on. A second call has no effect. */
    public void end() {
        hasEnded = true;
        List<Statement> left;
        synchronized (statements) {
            left = List.copyOf(statements);
            statements.clear();
        }
        left.forEach(GuardedConnection::close);
    }

    private static void close(Statement statement) {
        try {
            statement.close();
        } catch (SQLException e) {
            // If close() fails, the connection is broken. Its owner gets the exception on the next use.
        }
    }

    private static Object proxy(List<Class<?>> types, InvocationHandler handler) {
        return Proxy.newProxyInstance(types.get(0).getClassLoader(), types.toArray(Class<?>[]::new), handler);
    }

    private static DormouseException notAllowed(String expected, String but, String instead) {
        return new DormouseException(
                ErrorCode.NOT_ALLOWED_HERE, "Expected " + expected + ", but " + but + ". " + instead);
    }

    private static DormouseException refusal(String what) {
        return notAllowed(
                "a transaction that Dormouse ends by itself",
                what + " was requested on its connection",
                "Return from the step to commit, throw to roll back, and use savepoints in between.");
    }

    /** The guard that all wrapped objects have in common. */
    private class Guard implements InvocationHandler {
        private final Object target;

        Guard(Object target) {
            this.target = target;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args) throws Throwable {
            Object[] given = args == null ? new Object[0] : args;
            return switch (method.getName()) {
                case "equals" -> proxy == given[0];
                case "hashCode" -> System.identityHashCode(proxy);
                case "toString" -> target.toString();
                case "isWrapperFor" ->
                    ((Class<?>) given[0]).isInstance(proxy) || Boolean.TRUE.equals(call(method, given));
                case "unwrap" -> ((Class<?>) given[0]).isInstance(proxy) ? proxy : unwrapped(method, given);
                default -> used(proxy, method, given);
            };
        }

        @Nullable
        Object unwrapped(Method method, Object[] args) throws Throwable {
            checkOpen();
            return call(method, args);
        }

        @Nullable
        Object used(Object proxy, Method method, Object[] args) throws Throwable {
            if (hasEnded
                    && (method.getName().equals("close") || method.getName().equals("isClosed"))) {
                return method.getReturnType() == boolean.class ? true : null;
            }
            checkOpen();
            if (args.length > 0 && args[0] instanceof String sql) {
                checkIsNoControl(method, sql);
            }
            return guarded(proxy, method, call(method, args));
        }

        private void checkIsNoControl(Method method, String sql) {
            TransactionControl.in(method.getName(), sql).ifPresent(words -> {
                throw refusal(words);
            });
        }

        private void checkOpen() {
            if (hasEnded) {
                throw notAllowed(
                        "the connection of a transaction to be used within it",
                        "the transaction has ended",
                        "Do not keep the connection, nor anything that came from it.");
            }
        }

        @Nullable
        Object call(Method method, Object[] args) throws Throwable {
            try {
                return method.invoke(target, args);
            } catch (InvocationTargetException e) {
                throw e.getTargetException();
            }
        }

        private @Nullable Object guarded(Object proxy, Method method, @Nullable Object result) {
            Class<?> declared = method.getReturnType();
            if (result == null || !KINDS.contains(declared)) {
                return result;
            }
            if (result instanceof Connection) {
                return connection;
            }
            if (declared == Statement.class && proxy instanceof ResultSet) {
                return ((OfResult) Proxy.getInvocationHandler(proxy)).statement(result);
            }
            return guarded(proxy, declared, result);
        }

        private Object guarded(Object proxy, Class<?> declared, Object result) {
            if (result instanceof Statement statement) {
                synchronized (statements) {
                    statements.add(statement);
                }
                return proxy(List.of(declared), new OfStatement(statement));
            }
            return proxy(
                    List.of(declared), result instanceof ResultSet ? new OfResult(result, proxy) : new Guard(result));
        }
    }

    private final class OfConnection extends Guard {
        OfConnection(Object target) {
            super(target);
        }

        @Override
        @Nullable
        Object used(Object proxy, Method method, Object[] args) throws Throwable {
            String name = method.getName();
            boolean isEnd = name.equals("rollback") && args.length == 0 || name.equals("close") && !hasEnded;
            if (isEnd || NOT_THE_USERS.contains(name)) {
                throw refusal(name);
            }
            return name.equals("getAutoCommit") ? false : super.used(proxy, method, args);
        }

        /** Wraps the driver's own interface to the connection too. Refuses its class, which cannot be wrapped. */
        @Override
        @Nullable
        Object unwrapped(Method method, Object[] args) throws Throwable {
            Class<?> type = (Class<?>) args[0];
            Object result = super.unwrapped(method, args);
            if (!(result instanceof Connection)) {
                return result;
            }
            if (!type.isInterface()) {
                throw refusal("unwrap(" + type.getSimpleName() + ".class)");
            }
            return proxy(List.of(type, Connection.class), new OfConnection(result));
        }
    }

    private final class OfStatement extends Guard {
        private final Statement statement;

        OfStatement(Statement statement) {
            super(statement);
            this.statement = statement;
        }

        @Override
        @Nullable
        Object used(Object proxy, Method method, Object[] args) throws Throwable {
            if (method.getName().equals("close")) {
                synchronized (statements) {
                    statements.remove(statement);
                }
            }
            return super.used(proxy, method, args);
        }
    }

    private final class OfResult extends Guard {
        private final Object origin;

        OfResult(Object target, Object origin) {
            super(target);
            this.origin = origin;
        }

        /** Returns the guarded statement that created the result set. */
        Object statement(Object raw) {
            return origin instanceof Statement
                    ? origin
                    : proxy(List.of(Statement.class), new OfStatement((Statement) raw));
        }
    }
}
