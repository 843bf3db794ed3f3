package dev.dormouse.postgres.sqltimers;

import static org.awaitility.Awaitility.await;

import dev.dormouse.postgres.TestPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A new database with schema timers, which the engine's role owns, and two roles that schedule timers: web and eve. The
 * server trusts all clients.
 */
public final class TimersDatabase {
    static final String NODE = TestPostgres.ROLE;
    static final String WEB = "web";
    static final String EVE = "eve";
    static final String ADMIN = "postgres";

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final AtomicInteger CREATED = new AtomicInteger();

    private final String name;

    private TimersDatabase(String name) {
        this.name = name;
    }

    /** With the schema installed, both roles enabled, and a table ledger (who text, n bigint) in which both may write. */
    static TimersDatabase create() {
        TimersDatabase database = createEmpty();
        database.execute(NODE, SqlTimerNode.script());
        database.execute(NODE, "select timers.enable_role('web'); select timers.enable_role('eve')");
        database.execute(ADMIN, """
                create table ledger (who text default current_user, n bigint, at timestamptz default clock_timestamp());
                grant all on ledger to public;
                """);
        return database;
    }

    /** With nothing in it but an empty schema timers that belongs to the engine's role. */
    static TimersDatabase createEmpty() {
        TimersDatabase database = new TimersDatabase("timers_" + CREATED.incrementAndGet());
        TestPostgres.execute(TestPostgres.admin(), "create database " + database.name);
        database.createRole(WEB);
        database.createRole(EVE);
        database.execute(ADMIN, "create schema timers authorization " + NODE);
        return database;
    }

    void createRole(String role) {
        if (query(ADMIN, "select count(*) from pg_roles where rolname = '" + role + "'")
                .equals("0")) {
            execute(ADMIN, "create role " + role + " login");
        }
    }

    String name() {
        return name;
    }

    String url(String role) {
        return url(role, TestPostgres.port());
    }

    String url(String role, int port) {
        return "jdbc:postgresql://localhost:" + port + "/" + name + "?user=" + role;
    }

    SqlTimerNodeBuilder node() {
        return SqlTimerNode.builder().url(url(NODE));
    }

    Connection connect(String role) throws SQLException {
        return DriverManager.getConnection(url(role));
    }

    void execute(String role, String sql) {
        try (Connection connection = connect(role);
                Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage() + " in " + sql, e);
        }
    }

    /** The one value of a query, as text; empty where there is no row. */
    String query(String role, String sql) {
        List<String> rows = rows(role, sql);
        return rows.isEmpty() ? "" : rows.get(0);
    }

    /** The first column of a query, as text. */
    List<String> rows(String role, String sql) {
        try (Connection connection = connect(role);
                Statement statement = connection.createStatement()) {
            return rows(statement, sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage() + " in " + sql, e);
        }
    }

    private static List<String> rows(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        }
    }

    /** Sets a timer; gives its id. */
    long schedule(String role, String in, String action) {
        return schedule(role, in, action, 0);
    }

    long schedule(String role, String in, String action, int timeoutMillis) {
        return Long.parseLong(query(
                role,
                "select timers.schedule_in('" + in + "', $action$" + action + "$action$, timeout_ms => " + timeoutMillis
                        + ")"));
    }

    int status(long id) {
        return Integer.parseInt(query(ADMIN, "select status from timers.timers where id = " + id));
    }

    String column(String column, long id) {
        return query(ADMIN, "select " + column + " from timers.timers where id = " + id);
    }

    void awaitStatus(long id, int status) {
        awaitQuery("select status from timers.timers where id = " + id, Integer.toString(status));
    }

    /** Waits until the admin's query has this answer. All queries use one connection: opening one costs more than a query. */
    void awaitQuery(String sql, String answer) {
        try (Connection connection = connect(ADMIN);
                Statement statement = connection.createStatement()) {
            await(sql)
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> rows(statement, sql).stream().limit(1).anyMatch(answer::equals));
        } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage() + " in " + sql, e);
        }
    }

    void awaitNonePending() {
        awaitQuery("select count(*) from timers.timers where status = 0 and fire_at <= now()", "0");
    }
}
