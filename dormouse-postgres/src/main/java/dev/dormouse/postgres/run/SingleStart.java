package dev.dormouse.postgres.run;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.postgres.sql.AlarmColumns;
import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.run.OutboxFence;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;

/**
 * The start of one run with a short first event, as {@link StartStatement} would do it. PostgreSQL sets up the plan of
 * a batch at each execution, and for a batch of one that takes longer than the insert.
 */
final class SingleStart {
    private final String sql;

    SingleStart(Schema schema) {
        this.sql = schema.sql("""
                insert into ${schema}.run (shard, run_id, workflow_id, type, lane, owner, status, lease, wake_at,
                    wake_reason, refused, trouble, known_seq, checksum, current, created_at, closed_at,
                    inline_history, queue, priority, rate_key)
                values (?, ?, ?, ?, ?, ?, ?, ?,
                    case ?::int4 when 2 then greatest(?::int8, ${now}) when 3 then ${now} + least(?::int8, ${max} - ${now}) end,
                    ?, ?, ?, ?, ?, true, ${now}, case when ?::bool then ${now} end,
                    int8send(${now}) || ?::bytea || ?::bytea, ?, ?, ?)
                on conflict do nothing
                returning created_at
                """);
    }

    /** Returns true if this statement can insert the run. */
    static boolean suits(Start start) {
        return start.fence().equals(OutboxFence.NONE) && InlineHistory.head(0, start.first()) != null;
    }

    /** Puts an outcome unless the workflow id is taken, or the run exists already. */
    void run(Connection connection, int shard, Start start, Outcomes<Start, StartOutcome> outcomes)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(new Params(statement), shard, start);
            try (ResultSet rows = statement.executeQuery()) {
                if (rows.next()) {
                    outcomes.put(0, new StartOutcome.Started(RunRows.instant(rows, 1)));
                }
            }
        }
    }

    private static boolean isHeld(Start start) {
        RunStatus status = start.next().status();
        return status == RunStatus.RUNNING || status == RunStatus.PARKED;
    }

    private static void bind(Params params, int shard, Start start) throws SQLException {
        boolean isQueued = start.queued().isSomewhere();
        params.integer(shard)
                .uuid(start.runId())
                .text(start.workflowId())
                .text(start.type())
                .text(StartStatement.lane(start))
                .text(isHeld(start) ? start.owner() : "")
                .integer(start.next().status().code())
                .bigint(start.next().lease())
                .integer(AlarmColumns.kind(start.next().alarm()))
                .bigint(AlarmColumns.value(start.next().alarm()))
                .bigint(AlarmColumns.value(start.next().alarm()))
                .integer(start.next().reason().code())
                .text(StartStatement.refused(start.next()))
                .text(start.next().trouble())
                .integer(start.first().count())
                .bigint(start.first().checksum())
                .bool(start.next().status().isClosed())
                .bytea(Objects.requireNonNull(InlineHistory.head(0, start.first())))
                .bytea(start.first().payload())
                .text(isQueued ? start.queued().queue() : "")
                .integer(isQueued ? start.queued().priority() : 0)
                .text(isQueued ? start.queued().key() : "");
    }
}
