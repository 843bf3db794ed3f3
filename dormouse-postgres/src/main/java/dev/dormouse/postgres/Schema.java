package dev.dormouse.postgres;

import dev.dormouse.store.jdbc.MigrationDialect;
import dev.dormouse.store.jdbc.Migrations;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * The schema that Dormouse's tables live in, and all SQL that depends on its name: every table is named with it, so that
 * no search_path matters, not even that of a user's connection. In statements, <code>${schema}</code> stands for the quoted name, <code>${now}</code> for the
 * database's clock in microseconds (stable within a statement, and therefore good for an index condition),
 * <code>${max}</code> for the last instant there is, and <code>${channel}</code> for the channel of notifications.
 */
record Schema(String name) {
    private static final Migrations MIGRATIONS = Migrations.of(
            Schema.class,
            "V1__run.sql",
            "V2__note.sql",
            "V3__queues.sql",
            "V4__requests.sql",
            "V5__events.sql",
            "V6__pages.sql",
            "V7__recovery.sql");
    private static final String NOW = "(extract(epoch from pg_catalog.statement_timestamp()) * 1000000)::bigint";
    private static final String MAX = Long.MAX_VALUE + "::bigint";
    private static final int MAX_IDENTIFIER_BYTES = 63;

    String quoted() {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    String sql(String template) {
        return template.replace("${now}", NOW)
                .replace("${max}", MAX)
                .replace("${schema}", quoted())
                .replace("${channel}", channelLiteral());
    }

    /** The channel of LISTEN and NOTIFY; each schema of a database has its own. */
    String channel() {
        String plain = "dormouse:" + name;
        if (plain.getBytes(StandardCharsets.UTF_8).length <= MAX_IDENTIFIER_BYTES) {
            return plain;
        }
        CRC32C crc = new CRC32C();
        crc.update(name.getBytes(StandardCharsets.UTF_8));
        return "dormouse#" + Long.toHexString(crc.getValue());
    }

    private String channelLiteral() {
        return "'" + channel().replace("'", "''") + "'";
    }

    String quotedChannel() {
        return '"' + channel().replace("\"", "\"\"") + '"';
    }

    Migrations migrations() {
        return MIGRATIONS;
    }

    /** Everything from an empty database on, for somebody who wants to read it and run it by hand. */
    String script() {
        return "create schema if not exists " + quoted() + ";\n\n" + MIGRATIONS.print(dialect());
    }

    /** Migrations are serialized by a lock on the table that counts them, which readers do not feel. */
    MigrationDialect dialect() {
        String table = quoted() + ".schema_version";
        return new MigrationDialect(
                table,
                "select count(*) from pg_catalog.pg_class where oid = to_regclass('" + table.replace("'", "''") + "')",
                "create table " + table + " (version int primary key, name text not null, "
                        + "applied_at timestamptz not null default statement_timestamp())",
                "lock table " + table + " in exclusive mode",
                Map.of("schema", quoted(), "channel", channelLiteral()));
    }
}
