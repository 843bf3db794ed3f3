package dev.dormouse.cli.operate;

import dev.dormouse.cli.api.SqliteFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks of a store: it must be reachable, and this user must have the permissions that Dormouse needs. */
final class StoreChecks {
    private static final String PERMISSIONS = "permissions";

    private StoreChecks() {}

    static List<Finding> of(String url, String schema) {
        Optional<Path> file = SqliteFiles.file(url);
        if (file.isPresent()) {
            return ofFile(file.get());
        }
        return url.startsWith("jdbc:postgresql:") ? ofPostgres(url, schema) : List.of();
    }

    private static List<Finding> ofFile(Path file) {
        if (!Files.isRegularFile(file)) {
            return List.of(Finding.bad(
                    "reachable",
                    "there is no file " + file,
                    "Check its name; './dormouse dev' or your program creates it."));
        }
        List<Finding> findings = new ArrayList<>();
        Path folder = file.toAbsolutePath().getParent();
        boolean isWritable = Files.isWritable(file) && folder != null && Files.isWritable(folder);
        findings.add(
                isWritable
                        ? Finding.good(PERMISSIONS, file + " and its folder can be written")
                        : Finding.bad(
                                PERMISSIONS,
                                file + " or its folder cannot be written",
                                "SQLite needs both: run as their owner, or change their permissions."));
        SqliteFiles.serverFile(file)
                .filter(StoreChecks::isOpenToOthers)
                .ifPresent(leaky -> findings.add(Finding.bad(
                        PERMISSIONS, leaky + " holds a token and others may read it", "Run: chmod 600 " + leaky)));
        return findings;
    }

    private static boolean isOpenToOthers(Path file) {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            return permissions.contains(PosixFilePermission.GROUP_READ)
                    || permissions.contains(PosixFilePermission.OTHERS_READ);
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    private static List<Finding> ofPostgres(String url, String schema) {
        String sql = """
                select current_user, count(*), count(*) filter (where not has_table_privilege(c.oid,
                  'select, insert, update, delete')), pg_catalog.pg_is_in_recovery()
                from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
                where n.nspname = ? and c.relkind in ('r', 'p')
                """;
        try (Connection connection = DriverManager.getConnection(url);
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, schema);
            List<Finding> findings = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                if (row.getBoolean(4)) {
                    return List.of(Finding.bad(
                            "reachable",
                            "the server is a standby, which can only be read",
                            "Name the primary server in the URL, or add targetServerType=primary to it."));
                }
                findings.add(rights(row.getString(1), row.getInt(2), row.getInt(3), schema));
            }
            findings.addAll(PostgresSettingsChecks.of(connection, schema));
            return findings;
        } catch (SQLException e) {
            return List.of(Finding.bad(
                    "reachable",
                    "the database refuses: " + e.getMessage(),
                    "Check host, port, database, user and password, and that PostgreSQL runs."));
        }
    }

    private static Finding rights(String role, int tables, int forbidden, String schema) {
        if (tables == 0) {
            return Finding.bad(
                    "schema",
                    "there are no tables in schema " + schema,
                    "Run: dormouse migrate, or name another --schema.");
        }
        return forbidden == 0
                ? Finding.good(PERMISSIONS, "role " + role + " may read and write all tables in schema " + schema)
                : Finding.bad(
                        PERMISSIONS,
                        "role " + role + " may not read and write " + forbidden + " of " + tables + " tables in schema "
                                + schema,
                        "Let their owner run: grant all on all tables in schema " + schema + " to " + role);
    }
}
