package dev.dormouse.cli.operate;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Checks of the PostgreSQL settings that reduce durability or that Dormouse overrides in its own sessions. */
final class PostgresSettingsChecks {
    private static final String CHECK = "settings";

    /** Selects the settings of a new session of the role, except harmless values. */
    private static final String SETTINGS = """
            select name, setting || coalesce(unit, ''), source
            from pg_catalog.pg_settings
            where name in ('fsync', 'full_page_writes', 'row_security') and setting = 'off'
              or name = 'session_replication_role' and setting <> 'origin'
              or name = 'synchronous_commit' and setting = 'off'
              or name = 'default_transaction_isolation' and setting <> 'read committed'
              or name = 'default_transaction_read_only' and setting = 'on'
              or name in ('statement_timeout', 'lock_timeout', 'idle_session_timeout',
                'idle_in_transaction_session_timeout', 'transaction_timeout') and setting <> '0'
              or name = 'search_path' and source in ('user', 'database', 'database user')
            order by name
            """;

    private static final String HIDDEN = """
            select count(*) from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
            where n.nspname = ? and c.relkind in ('r', 'p') and pg_catalog.row_security_active(c.oid)
            """;

    private PostgresSettingsChecks() {}

    static List<Finding> of(Connection connection, String schema) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        List<String> overridden = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(SETTINGS);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                String setting = rows.getString(1) + " = " + rows.getString(2) + " (" + rows.getString(3) + ")";
                switch (rows.getString(1)) {
                    case "fsync", "full_page_writes" ->
                        findings.add(Finding.odd(
                                CHECK,
                                setting
                                        + ": a crash of the server can lose what was confirmed, or destroy the database",
                                "Switch it on in postgresql.conf."));
                    case "session_replication_role" ->
                        findings.add(
                                Finding.bad(
                                        CHECK,
                                        setting + ": Dormouse does not open such a database",
                                        "Reset it for the role and the database: alter role ... reset session_replication_role"));
                    default -> overridden.add(setting);
                }
            }
        }
        if (!overridden.isEmpty()) {
            findings.add(Finding.odd(
                    CHECK,
                    "Dormouse sets in its own sessions what is otherwise: " + String.join(", ", overridden),
                    "Your own sessions keep these; reset what was not meant."));
        }
        findings.addAll(hidden(connection, schema));
        return findings.isEmpty()
                ? List.of(Finding.good(CHECK, "none takes durability away, or has to be set differently"))
                : findings;
    }

    private static List<Finding> hidden(Connection connection, String schema) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(HIDDEN)) {
            statement.setString(1, schema);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                int tables = rows.getInt(1);
                return tables == 0
                        ? List.of()
                        : List.of(Finding.odd(
                                CHECK,
                                "row-level security applies to " + tables + " tables in schema " + schema
                                        + ": runs in rows that it hides are never executed",
                                "Let Dormouse's role own the tables, or give it a policy that hides nothing."));
            }
        }
    }
}
