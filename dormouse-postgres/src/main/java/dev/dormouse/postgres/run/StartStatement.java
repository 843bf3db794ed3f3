package dev.dormouse.postgres.run;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.postgres.sql.AlarmColumns;
import dev.dormouse.postgres.sql.Epoch;
import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.OutboxFence;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/**
 * The statement that inserts runs and their first events. Entries that are not returned have a workflow id that is
 * taken, or a run that exists already; nothing of them was inserted.
 *
 * <p>The insert cannot return the payload, so the batch is joined with the inserted rows. Neither side has an index: a
 * hash join is right here and a nested loop would be quadratic, unlike in every other statement. That is why this
 * statement runs on its own connections ({@code SessionSettings.START}).
 */
public final class StartStatement {
    /** Inserts; the last part of the statement decides what to return. */
    static final String INSERT = """
            with b as materialized (
              select ?::int as shard, ${now} as now, b.*
              from unnest(?::text[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::int4[], ?::int8[],
                  ?::int4[], ?::int8[], ?::int4[], ?::text[], ?::text[], ?::int4[], ?::int8[], ?::bytea[], ?::bytea[],
                  ?::text[], ?::int4[], ?::text[], ?::text[], ?::int8[])
                as b(workflow_id, run_id, type, lane, owner, status, lease,
                  alarm, alarm_micros, reason, refused, trouble, events, checksum, payload, head,
                  queue, priority, rate_key, epoch, not_after)
              where ${fence}
              order by workflow_id),
            ins as (
              insert into ${schema}.run (shard, run_id, workflow_id, type, lane, owner, status, lease, wake_at,
                  wake_reason, refused, trouble, known_seq, checksum, current, created_at, closed_at,
                  inline_history, queue, priority, rate_key)
              select shard, run_id, workflow_id, type, lane, case when status in (1, 2) then owner else '' end,
                  status, lease,
                  case alarm when 2 then greatest(alarm_micros, now) when 3 then now + least(alarm_micros, ${max} - now) end,
                  reason, refused, trouble, events, checksum, true, now, case when status >= 10 then now end,
                  int8send(now) || head || payload, coalesce(queue, ''), coalesce(priority, 0), coalesce(rate_key, '')
              from b
              on conflict do nothing
              returning run_id, created_at, wake_at),
            h as (
              insert into ${schema}.history (shard, run_id, seq, events, at, checksum, payload)
              select b.shard, b.run_id, 0, b.events, b.now, b.checksum, b.payload
              from b join ins on ins.run_id = b.run_id
              where b.head is null)
            """;

    private final String sql;

    StartStatement(Schema schema, Epoch epoch) {
        this.sql = schema.sql(epoch.sql(INSERT) + """
                select ${now}, count(*), case when count(*) < ? then array_agg(run_id) end from ins
                """);
    }

    /**
     * Puts an outcome for each run that was inserted. The statement returns their ids only if others were not: nearly
     * always all are.
     */
    void run(Connection connection, int shard, List<Start> batch, Outcomes<Start, StartOutcome> outcomes)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            Params params = new Params(statement);
            bind(params, shard, batch);
            params.integer(batch.size());
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                StartOutcome started = new StartOutcome.Started(RunRows.instant(rows, 1));
                if (rows.getInt(2) == batch.size()) {
                    outcomes.complete(start -> started);
                } else if (rows.getInt(2) > 0) {
                    BatchPlaces<UUID> places = BatchPlaces.of(batch, Start::runId);
                    for (Object runId : (Object[]) rows.getArray(3).getArray()) {
                        outcomes.put(places.of((UUID) runId), started);
                    }
                }
            }
        }
    }

    static void bind(Params params, int shard, List<Start> batch) throws SQLException {
        params.integer(shard)
                .texts(batch, Start::workflowId)
                .uuids(batch, Start::runId)
                .texts(batch, Start::type)
                .texts(batch, StartStatement::lane)
                .texts(batch, Start::owner)
                .integers(batch, start -> start.next().status().code())
                .bigints(batch, start -> start.next().lease())
                .integers(batch, start -> AlarmColumns.kind(start.next().alarm()))
                .bigints(batch, start -> AlarmColumns.value(start.next().alarm()))
                .integers(batch, start -> start.next().reason().code())
                .texts(batch, start -> refused(start.next()))
                .texts(batch, start -> start.next().trouble())
                .integers(batch, start -> start.first().count())
                .bigints(batch, start -> start.first().checksum())
                .byteas(batch, start -> start.first().payload())
                .byteas(batch, start -> InlineHistory.head(0, start.first()));
        bindQueued(params, batch);
    }

    /** Binds empty columns, which are null in every row, if none of the runs is in a queue. */
    private static void bindQueued(Params params, List<Start> batch) throws SQLException {
        boolean isAny = batch.stream().anyMatch(start -> start.queued().isSomewhere());
        List<Start> some = isAny ? batch : List.of();
        params.texts(some, start -> start.queued().queue())
                .integers(some, start -> start.queued().priority())
                .texts(some, start -> start.queued().key());
        bindFence(params, batch, Start::fence);
    }

    /** Binds empty columns if no entry comes from an outbox. */
    static <E> void bindFence(Params params, List<E> batch, Function<E, OutboxFence> fence) throws SQLException {
        boolean isAny = batch.stream().anyMatch(entry -> !fence.apply(entry).equals(OutboxFence.NONE));
        List<E> some = isAny ? batch : List.of();
        params.texts(some, entry -> fence.apply(entry).epoch())
                .bigints(some, entry -> Micros.of(fence.apply(entry).notAfter()));
    }

    static String lane(Start start) {
        String other = start.next().lane();
        return other == null ? start.lane() : other;
    }

    static String refused(NextState next) {
        String builds = next.refused();
        return builds == null ? "" : builds;
    }

    /** Returns the statuses as the bits of a number. */
    public static int mask(Iterable<RunStatus> statuses) {
        int mask = 0;
        for (RunStatus status : statuses) {
            mask |= 1 << status.code();
        }
        return mask;
    }
}
