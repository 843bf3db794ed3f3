package dev.dormouse.postgres.sql;

import dev.dormouse.store.jdbc.MigrationDialect;
import dev.dormouse.store.jdbc.Migrations;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * The schema of Dormouse's tables, and all SQL that depends on its name. Every table is qualified with it, so that the
 * search_path has no effect, not even that of a user's connection. In statements, <code>${schema}</code> stands for the
 * quoted name, <code>${now}</code> for the database's clock in microseconds (stable within a statement, so that it can
 * be an index condition), <code>${max}</code> for the last instant, and <code>${channel}</code> for the notification
 * channel.
 */
public record Schema(String name) {
    private static final Migrations MIGRATIONS = Migrations.of(
            Schema.class,
            "V1__run.sql",
            "V2__note.sql",
            "V3__queues.sql",
            "V4__requests.sql",
            "V5__events.sql",
            "V6__pages.sql",
            "V7__recovery.sql",
            "V8__append.sql");

    /** The version since which owners append to histories without changing the rows of their runs. */
    static final int APPENDS = 8;

    private static final String NOW = "(extract(epoch from pg_catalog.statement_timestamp()) * 1000000)::bigint";
    private static final String MAX = Long.MAX_VALUE + "::bigint";
    private static final int MAX_IDENTIFIER_BYTES = 63;

    public String quoted() {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    public String sql(String template) {
        return template.replace("${now}", NOW)
                .replace("${max}", MAX)
                .replace("${schema}", quoted())
                .replace("${channel}", channelLiteral());
    }

    /** Returns the channel of LISTEN and NOTIFY; each schema of a database has its own. */
    public String channel() {
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

    public String quotedChannel() {
        return '"' + channel().replace("\"", "\"\"") + '"';
    }

    public Migrations migrations() {
        return MIGRATIONS;
    }

    /** Returns all SQL that sets up an empty database, to be read and run by hand. */
    public String script() {
        return "create schema if not exists " + quoted() + ";\n\n" + MIGRATIONS.print(dialect());
    }

    /** Migrations are serialized by a lock on the version table, which does not block readers. */
    public MigrationDialect dialect() {
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
