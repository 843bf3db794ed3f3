package dev.dormouse.postgres.sql;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.Sentence;
import dev.dormouse.inspect.StoreTrouble;
import dev.dormouse.store.StoreUrl;
import dev.dormouse.store.base.StoreException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A classification of SQLExceptions by their SQLSTATE alone. */
public final class SqlErrors {
    public static final String INSUFFICIENT_PRIVILEGE = "42501";
    public static final String UNIQUE_VIOLATION = "23505";
    public static final String SERIALIZATION_FAILURE = "40001";
    static final String READ_ONLY = "25006";

    private static final Set<String> BAD_ENTRY_CLASSES = Set.of("22", "23", "54");

    /**
     * In addition: the transaction has failed (25), no right or no such object (42), a view's condition (44), a trigger
     * (P0).
     */
    private static final Set<String> FOR_GOOD_CLASSES = Set.of("22", "23", "54", "25", "42", "44", "P0");

    private static final Set<String> NOT_NOW = Set.of("55P03", "40P01", SERIALIZATION_FAILURE);
    private static final String DISK_FULL = "53100";
    private static final String STATEMENT_TIMEOUT = "57014";

    /** A prepared statement exists already (42P05), or does not exist (26000). */
    private static final Set<String> PREPARED = Set.of("42P05", "26000");

    /** Shut down by an administrator, after a crash, or not started yet. */
    private static final Set<String> SHUTDOWN = Set.of("57P01", "57P02", "57P03");

    /** Unknown user, wrong password (28), unknown database (3D). */
    private static final Set<String> LOGIN_REFUSED = Set.of("28", "3D");

    private static final Set<String> CONNECTION_CLASSES = Set.of("08", "53", "57");

    private SqlErrors() {}

    /**
     * Returns true if nothing was applied because of an entry's content: data that PostgreSQL refuses (22), a
     * constraint (23), or a limit such as that of an index entry (54).
     */
    public static boolean isBadEntry(Exception e) {
        return e instanceof DormouseException
                || (e instanceof SQLException sql && BAD_ENTRY_CLASSES.contains(kind(sql)));
    }

    /**
     * Returns true if nothing was applied because of another session's lock: a lock timeout, a deadlock, or a
     * serialization failure.
     */
    public static boolean isLocked(Exception e) {
        return e instanceof SQLException sql && NOT_NOW.contains(state(sql));
    }

    /** Returns true if nothing was applied and a retry would fail again. */
    public static boolean isForGood(SQLException e) {
        return FOR_GOOD_CLASSES.contains(kind(e));
    }

    public static StoreException rejected(Exception e) {
        return new StoreException(
                e instanceof DormouseException ours ? ours.code() : ErrorCode.STORE_FAILED,
                "Expected something that PostgreSQL can hold, but it refuses it: " + Sentence.of(e.getMessage()),
                e);
    }

    public static StoreException unavailable(Exception e) {
        if (e instanceof StoreException known) {
            return known;
        }
        if (e instanceof UnsuitableSession) {
            return new StoreException(
                    ErrorCode.STORE_UNSUITABLE,
                    "Expected session_replication_role = origin, which the engine's role may not set itself, but its "
                            + "sessions begin with another: " + Sentence.of(e.getMessage())
                            + " Reset it for the role, the database and the server (alter role ... reset "
                            + "session_replication_role).",
                    e);
        }
        if (e instanceof SQLException sql && isReadOnly(sql)) {
            return new StoreException(
                    ErrorCode.STORE_UNAVAILABLE,
                    StoreTrouble.READ_ONLY,
                    "Expected a PostgreSQL server that can be written, but this one can only be read: "
                            + Sentence.of(e.getMessage() + deepest(e))
                            + " Check that the URL or the DataSource leads to the primary and not to a standby.",
                    e);
        }
        if (e instanceof SQLException sql && isPrepared(sql)) {
            return pooler(e);
        }
        if (isLocked(e)) {
            return new StoreException(
                    ErrorCode.STORE_FAILED,
                    StoreTrouble.BLOCKED,
                    "Expected an answer of PostgreSQL, but another session holds a lock: " + Sentence.of(e.getMessage())
                            + " Look for it in pg_locks and pg_stat_activity.",
                    e);
        }
        boolean connection = e instanceof SQLException sql && isConnectionProblem(sql);
        return new StoreException(
                connection ? ErrorCode.STORE_UNAVAILABLE : ErrorCode.STORE_FAILED,
                trouble(e, connection),
                (connection
                                ? "Expected an answer of PostgreSQL, but got none: "
                                : "Expected PostgreSQL to accept a call, but it refuses: ")
                        + Sentence.of(e.getMessage() + deepest(e))
                        + advice(e, connection),
                e);
    }

    private static String advice(Exception e, boolean connection) {
        if (e instanceof SQLException sql && LOGIN_REFUSED.contains(kind(sql))) {
            return " Check user, password and database.";
        }
        return connection ? " Check that it is up and can be reached." : "";
    }

    private static StoreTrouble trouble(Exception e, boolean connection) {
        String state = e instanceof SQLException sql ? state(sql) : "";
        return switch (state) {
            case DISK_FULL -> StoreTrouble.FULL;
            case STATEMENT_TIMEOUT -> StoreTrouble.BLOCKED;
            default -> connection ? StoreTrouble.AWAY : StoreTrouble.REFUSED;
        };
    }

    /**
     * Returns true if the server does not know a statement that this connection has prepared, or already has one that
     * it now prepares for the first time.
     */
    private static boolean isPrepared(SQLException e) {
        return PREPARED.contains(state(e));
    }

    private static StoreException pooler(Exception e) {
        return new StoreException(
                ErrorCode.STORE_UNSUITABLE,
                "Expected a PostgreSQL session for each connection, but prepared statements get lost or come from "
                        + "elsewhere (" + e.getMessage()
                        + "), as behind PgBouncer in transaction mode. Dormouse prepares "
                        + "statements and listens for notifications, which needs sessions: set pool_mode = session for it, "
                        + "or connect to PostgreSQL directly.",
                e);
    }

    /**
     * Returns the message of the root cause: a driver that finds no host, and a pool without a connection, report the
     * reason only there.
     */
    private static String deepest(Exception e) {
        Throwable cause = e;
        for (int depth = 0; depth < 20 && cause.getCause() != null; depth++) {
            cause = cause.getCause();
        }
        if (cause instanceof UnknownHostException) {
            return " The host '" + StoreUrl.masked(String.valueOf(cause.getMessage())) + "' is unknown";
        }
        String text = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        return String.valueOf(e.getMessage()).contains(text) ? "" : " (" + text + ")";
    }

    /**
     * Returns true if the connection failed. An exception without SQLSTATE comes from a pool that had no connection in
     * time.
     */
    private static boolean isConnectionProblem(SQLException e) {
        return state(e).isEmpty() || CONNECTION_CLASSES.contains(kind(e));
    }

    /**
     * Returns true if the connection has broken, the server shuts down, or the server can only be read. In these cases
     * other connections are no better.
     */
    public static boolean isServerLost(SQLException e) {
        return kind(e).equals("08") || SHUTDOWN.contains(state(e)) || isReadOnly(e);
    }

    /** Returns true if the server is a standby, or transactions are read-only for another reason. Nothing was applied. */
    public static boolean isReadOnly(SQLException e) {
        return state(e).equals(READ_ONLY);
    }

    /** Returns the error for a connection to a standby. */
    public static SQLException standby() {
        return new SQLException("the server is a standby (pg_is_in_recovery)", READ_ONLY);
    }

    public static String state(SQLException e) {
        @Nullable String state = e.getSQLState();
        return state == null ? "" : state;
    }

    private static String kind(SQLException e) {
        String state = state(e);
        return state.length() < 2 ? "" : state.substring(0, 2);
    }
}
