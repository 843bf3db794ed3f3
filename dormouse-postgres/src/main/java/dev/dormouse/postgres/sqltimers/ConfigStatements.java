package dev.dormouse.postgres.sqltimers;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Statements that read the node's own role, the roles with timers, and the settings. */
final class ConfigStatements {
    private ConfigStatements() {}

    static String ownRole(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select timers._caller()")) {
            row.next();
            return row.getString(1);
        }
    }

    static boolean isSuperuser(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select current_setting('is_superuser') = 'on'")) {
            row.next();
            return row.getBoolean(1);
        }
    }

    static TimerSettings settings(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("select timers_per_batch, safety_sweep_seconds from timers.settings")) {
            return row.next()
                    ? new TimerSettings(row.getInt(1), Duration.ofSeconds(row.getInt(2)))
                    : TimerSettings.DEFAULT;
        }
    }

    static List<RoleRow> roles(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("""
                        select r.name,
                          case when p.oid is null and o.oid is null then 'DROPPED' when p.oid is null then 'RENAMED'
                            when p.oid <> r.role_oid then 'REPLACED' when r.enabled then 'ENABLED' else 'DISABLED' end
                        from timers.roles r left join pg_catalog.pg_roles p on p.rolname = r.name
                          left join pg_catalog.pg_roles o on o.oid = r.role_oid
                        """)) {
            List<RoleRow> roles = new ArrayList<>();
            while (rows.next()) {
                roles.add(new RoleRow(rows.getString(1), RoleRow.State.valueOf(rows.getString(2))));
            }
            return roles;
        }
    }

    static void enable(Connection connection, String role) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select timers.enable_role(?::name)")) {
            statement.setString(1, role);
            statement.executeQuery().close();
        }
    }

    static void notify(Connection connection, String payload) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("select pg_catalog.pg_notify('dormouse_timers', ?)")) {
            statement.setString(1, payload);
            statement.executeQuery().close();
        }
    }
}
