package dev.dormouse.postgres.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warnings, logged when a store is opened, about server settings that break durability or hide rows, and that sessions
 * cannot change.
 */
public final class ServerWarnings {
    private static final Logger log = LoggerFactory.getLogger(ServerWarnings.class);

    private ServerWarnings() {}

    public static void log(Connection connection, Schema schema) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("""
                select 'Expected fsync and full_page_writes to be on, but one of them is off on this PostgreSQL server. '
                  || 'A crash can lose what was confirmed, or destroy the database. Switch both on in postgresql.conf.'
                where 'off' in (current_setting('fsync'), current_setting('full_page_writes'))
                union all
                select 'Expected that the engine''s role sees all rows of schema ' || n.nspname
                  || ', but row-level security applies to table ' || min(c.relname)
                  || '. Runs in hidden rows are never executed. Let the role own the tables, or give it a policy that '
                  || 'hides nothing.'
                from pg_class c join pg_namespace n on n.oid = c.relnamespace
                where n.nspname = ? and c.relkind in ('r', 'p') and row_security_active(c.oid)
                group by n.nspname
                """)) {
            statement.setString(1, schema.name());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    log.warn(rows.getString(1));
                }
            }
        }
    }
}
