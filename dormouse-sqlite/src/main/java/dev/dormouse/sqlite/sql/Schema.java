package dev.dormouse.sqlite.sql;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.StoreConfig;
import dev.dormouse.store.jdbc.MigrationDialect;
import dev.dormouse.store.jdbc.Migrations;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Dormouse's tables in a file, which may contain a user's tables too. */
public final class Schema {
    private static final Migrations MIGRATIONS = Migrations.of(
            Schema.class,
            "V1__tables.sql",
            "V2__note.sql",
            "V3__queues.sql",
            "V4__events.sql",
            "V5__pages.sql",
            "V6__strikes.sql",
            "V7__append.sql");

    /** All tables and indexes that must exist after the last migration. */
    private static final Set<String> NAMES = Set.of(
            "dormouse_schema",
            "dormouse_setting",
            "dormouse_run",
            "dormouse_run_alarm",
            "dormouse_run_current",
            "dormouse_run_replaced",
            "dormouse_run_leased",
            "dormouse_run_stuck",
            "dormouse_run_troubled",
            "dormouse_run_queued",
            "dormouse_run_queue_lease",
            "dormouse_queue",
            "dormouse_rate",
            "dormouse_rate_age",
            "dormouse_history",
            "dormouse_inbox",
            "dormouse_inbox_position",
            "dormouse_outbox",
            "dormouse_outbox_place",
            "dormouse_question",
            "dormouse_question_open",
            "dormouse_question_age",
            "dormouse_note",
            "dormouse_subscription",
            "dormouse_subscription_event",
            "dormouse_subscription_until",
            "dormouse_past_event",
            "dormouse_past_event_at",
            "dormouse_past_event_until",
            "dormouse_definition",
            "dormouse_definition_at",
            "dormouse_tally");

    private Schema() {}

    /** Creates or upgrades the tables, if the configuration allows it, and checks that none is missing. */
    public static void prepare(Connection connection, String database, StoreConfig config) throws SQLException {
        MIGRATIONS.apply(connection, dialect(config.shards()), config.migrate());
        Set<String> missing = new HashSet<>(NAMES);
        missing.removeAll(names(new SqlSession(connection)));
        if (!missing.isEmpty()) {
            throw new DormouseException(
                    ErrorCode.SCHEMA_DAMAGED,
                    "Expected all tables and indexes of Dormouse in " + database + ", but it has no "
                            + String.join(", ", missing) + ". Restore a backup.");
        }
    }

    /** Returns all SQL that sets up an empty file, to be read or run by hand. */
    public static String print(int shards) {
        return MIGRATIONS.print(dialect(shards));
    }

    public static MigrationDialect dialect(int shards) {
        return new MigrationDialect(
                "dormouse_schema",
                "select count(*) from sqlite_schema where name = 'dormouse_schema'",
                """
                create table dormouse_schema (
                  version integer not null primary key,
                  name text not null,
                  applied_at text not null default current_timestamp
                )""",
                // A write that changes nothing takes the file's write lock.
                "delete from dormouse_schema where version < 0",
                Map.of("shards", Integer.toString(shards)));
    }

    private static Set<String> names(SqlSession session) throws SQLException {
        try {
            return new HashSet<>(session.call("select name from sqlite_schema").all(row -> row.getString(1)));
        } finally {
            session.release();
        }
    }

    /** Returns the number of shards, which is set when the file is created. */
    public static int shards(SqlSession session) throws SQLException {
        return session.call("select value from dormouse_setting where name = 'shards'")
                .first(row -> row.getInt(1))
                .orElseThrow(() -> new DormouseException(
                        ErrorCode.SCHEMA_DAMAGED,
                        "Expected dormouse_setting to tell the number of shards, but it does not. Restore a backup."));
    }
}
