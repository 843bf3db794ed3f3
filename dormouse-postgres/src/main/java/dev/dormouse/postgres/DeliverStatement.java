package dev.dormouse.postgres;

import dev.dormouse.store.DeliverOutcome;
import dev.dormouse.store.Delivery;
import dev.dormouse.store.RunRow;
import dev.dormouse.store.WakeReason;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Puts items into inboxes and rings their runs: locks the row of each run whose inbox does not have the key yet, bumps its
 * mail counter and sets its alarm, and inserts the item under the new number. What does not come back was not delivered
 * now.
 *
 * <p>That the key is new was read before the lock, which is safe all the same: whoever delivers changes the run's row, and
 * a row that changed since this statement began is left alone ({@link CommitStatement}). {@code accepted_at} is taken with
 * {@code clock_timestamp()} by the part that updates, hence after the lock: an item that was accepted after a commit
 * recorded "the deadline passed" never says that it came before. An alarm that had passed already stays as it is, so that
 * mail does not send an overdue run to the end of the line.
 */
final class DeliverStatement {
    private final String sql;

    DeliverStatement(Schema schema) {
        this.sql = schema.sql("""
                with b as materialized (
                  select ?::int as shard, ${now} as now, b.*
                  from unnest(?::text[], ?::text[], ?::int4[], ?::bytea[]) as b(workflow_id, key, kind, payload)
                  order by workflow_id),
                l as materialized (
                  select b.*, locked.ctid as tid
                  from b cross join lateral (
                    select r.ctid
                    from ${schema}.run r
                    where r.shard = b.shard and r.workflow_id = b.workflow_id and r.current and r.status < 10
                      and not exists (
                        select 1 from ${schema}.inbox i
                        where i.shard = b.shard and i.workflow_id = b.workflow_id and i.key = b.key)
                    for no key update of r skip locked) locked),
                u as (
                  update ${schema}.run r
                  set mail = r.mail + 1,
                      wake_at = case
                        when r.status = 3 then least(r.wake_at, l.now)
                        when r.lease <> 0 then least(r.wake_at, l.now + ?::int8)
                        else r.wake_at end,
                      wake_reason = case
                        when r.status = 3 and coalesce(r.wake_at > l.now, true) then ?::int2
                        else r.wake_reason end
                  from l
                  where r.ctid = l.tid and r.shard = l.shard and r.workflow_id = l.workflow_id
                  returning (extract(epoch from clock_timestamp()) * 1000000)::bigint as accepted_at, %s,
                    l.key, l.kind, l.payload),
                i as (
                  insert into ${schema}.inbox (shard, workflow_id, key, kind, position, accepted_at, payload)
                  select shard, workflow_id, key, kind, mail, accepted_at, payload from u)
                select u.* from u
                """.formatted(RunRows.COLUMNS));
    }

    /** Puts an outcome for each item that was accepted. */
    void run(
            Connection connection,
            int shard,
            List<Delivery> batch,
            Duration leasePeriod,
            Outcomes<Delivery, DeliverOutcome> outcomes)
            throws SQLException {
        Places<String> places = Places.of(batch, Delivery::workflowId);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new Params(statement)
                    .integer(shard)
                    .texts(batch, Delivery::workflowId)
                    .texts(batch, Delivery::key)
                    .integers(batch, Delivery::kind)
                    .byteas(batch, Delivery::payload)
                    .delay(leasePeriod)
                    .integer(WakeReason.MAIL.code());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    RunRow run = RunRows.read(rows, 1);
                    outcomes.put(
                            places.of(run.workflowId()),
                            new DeliverOutcome.Accepted(RunRows.instant(rows, 1), run.mail(), run));
                }
            }
        }
    }
}
