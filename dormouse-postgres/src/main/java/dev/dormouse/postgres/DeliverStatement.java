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
 * Puts items into inboxes and rings their runs: locks the row of each run, takes the next number of its mail counter,
 * inserts the item under that number, and only where that was not refused (the key is there already) writes the counter
 * and the alarm. What does not come back was not delivered now.
 *
 * <p>{@code accepted_at} is taken with {@code clock_timestamp()} by the part that reads from the locking one, hence after
 * the lock: an item that was accepted after a commit recorded "the deadline passed" never says that it came before. (In
 * the locking part itself it could be computed before the lock is there.) An alarm that had passed already stays as it
 * is, so that mail does not send an overdue run to the end of the line.
 */
final class DeliverStatement {
    private final String sql;

    DeliverStatement(Schema schema) {
        this.sql = schema.sql(
                """
                with b as materialized (
                  select ?::int as shard, b.*
                  from unnest(?::text[], ?::text[], ?::int4[], ?::bytea[]) as b(workflow_id, key, kind, payload)),
                l as materialized (
                  select b.*, r.mail + 1 as position
                  from b join ${schema}.run r on r.shard = b.shard and r.workflow_id = b.workflow_id and r.current
                  where r.status < 10
                  order by b.workflow_id
                  for no key update of r skip locked),
                i as (
                  insert into ${schema}.inbox (shard, workflow_id, key, kind, position, accepted_at, payload)
                  select shard, workflow_id, key, kind, position,
                    (extract(epoch from clock_timestamp()) * 1000000)::bigint, payload
                  from l
                  on conflict do nothing
                  returning shard, workflow_id, position, accepted_at)
                update ${schema}.run r
                set mail = i.position,
                    wake_at = case
                      when r.status = 3 then least(r.wake_at, ${now})
                      when r.lease <> 0 then least(r.wake_at, ${now} + ?::int8)
                      else r.wake_at end,
                    wake_reason = case
                      when r.status = 3 and coalesce(r.wake_at > ${now}, true) then ?::int2
                      else r.wake_reason end
                from i
                where r.shard = i.shard and r.workflow_id = i.workflow_id and r.current
                returning i.accepted_at, %s
                """
                        .formatted(RunRows.COLUMNS));
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
