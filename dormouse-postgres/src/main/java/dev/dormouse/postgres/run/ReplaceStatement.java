package dev.dormouse.postgres.run;

import dev.dormouse.postgres.sql.Epoch;
import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * The start of runs in place of closed ones: one statement makes the new run the current one instead of the old. The
 * mail counter belongs to the workflow id and continues. The new run does not receive what the old run left unread,
 * unless the old run is CONTINUED (status 15) and therefore continues in the new run.
 *
 * <p>The old row is locked first. A second attempt of the same start finds that row either locked or replaced.
 */
final class ReplaceStatement {
    private final String sql;

    ReplaceStatement(Schema schema, Epoch epoch) {
        this.sql = schema.sql(epoch.sql("""
                with b as materialized (
                  select ?::int as shard, ${now} as now, b.*
                  from unnest(?::text[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::int4[], ?::int8[],
                      ?::int4[], ?::int8[], ?::int4[], ?::text[], ?::text[], ?::int4[], ?::int8[], ?::bytea[], ?::bytea[],
                      ?::text[], ?::int4[], ?::text[], ?::text[], ?::int8[], ?::int4[])
                    with ordinality as b(workflow_id, run_id, type, lane, owner, status, lease,
                      alarm, alarm_micros, reason, refused, trouble, events, checksum, payload, head,
                      queue, priority, rate_key, epoch, not_after, replaces, place)
                  where ${fence}
                  order by workflow_id),
                l as materialized (
                  select b.*, locked.*
                  from b cross join lateral (
                    select r.ctid as tid, r.run_id as old_run_id, r.mail,
                      case when r.status = 15 then r.consumed else r.mail end as consumed
                    from ${schema}.run r
                    where r.shard = b.shard and r.workflow_id = b.workflow_id and r.current
                      and r.status >= 10 and (b.replaces >> r.status) & 1 = 1 and r.run_id <> b.run_id
                    for no key update skip locked) locked),
                u as (
                  update ${schema}.run r set current = false
                  from l
                  where r.ctid = l.tid and r.shard = l.shard and r.run_id = l.old_run_id
                  returning l.*),
                ins as (
                  insert into ${schema}.run (shard, run_id, workflow_id, type, lane, owner, status, lease, wake_at,
                      wake_reason, refused, trouble, known_seq, checksum, current, created_at, closed_at, mail, consumed,
                      inline_history, queue, priority, rate_key)
                  select shard, run_id, workflow_id, type, lane, case when status in (1, 2) then owner else '' end,
                      status, lease,
                      case alarm when 2 then greatest(alarm_micros, now) when 3 then now + least(alarm_micros, ${max} - now) end,
                      reason, refused, trouble, events, checksum, true, now, case when status >= 10 then now end, mail,
                      consumed, int8send(now) || head || payload, coalesce(queue, ''), coalesce(priority, 0), coalesce(rate_key, '')
                  from u),
                h as (
                  insert into ${schema}.history (shard, run_id, seq, events, at, checksum, payload)
                  select shard, run_id, 0, events, now, checksum, payload from u where head is null)
                select place, now from u
                """));
    }

    /** Puts an outcome for each run that was inserted. */
    void run(Connection connection, int shard, List<Start> batch, Outcomes<Start, StartOutcome> outcomes)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            Params params = new Params(statement);
            StartStatement.bind(params, shard, batch);
            params.integers(batch, start -> StartStatement.mask(start.replaces()));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    outcomes.put(rows.getInt(1) - 1, new StartOutcome.Started(RunRows.instant(rows, 2)));
                }
            }
        }
    }
}
