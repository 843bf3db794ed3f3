package dev.dormouse.postgres.run;

import dev.dormouse.inspect.WakeReason;
import dev.dormouse.postgres.sql.Epoch;
import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.RunRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * The statement that adds items to inboxes and wakes their runs. For each workflow id it numbers the items with new
 * keys, locks the row of the run, adds their number to its mail counter, sets its alarm, and inserts the items. Items
 * that are not returned were not delivered.
 *
 * <p>The keys are checked before the lock, which is safe: every delivery changes the run's row, and a row that changed
 * since the statement began is skipped ({@link CommitStatement}). The items of a workflow id pass through the update as
 * arrays, so that its row is updated once and no two lists are compared with each other. The part that updates reads
 * {@code accepted_at} from {@code clock_timestamp()}, which means after the lock. Therefore an item that was accepted
 * after a commit recorded "the deadline passed" never has an earlier time. An alarm that has passed is kept, so that an
 * overdue run keeps its place.
 */
final class DeliverStatement {
    private final String sql;

    DeliverStatement(Schema schema, Epoch epoch) {
        this.sql = schema.sql(epoch.sql("""
                with b as materialized (
                  select ?::int as shard, b.*
                  from unnest(?::text[], ?::text[], ?::int4[], ?::bytea[], ?::text[], ?::int8[])
                    with ordinality as b(workflow_id, key, kind, payload, epoch, not_after, place)
                  where ${fence}),
                fresh as materialized (
                  select b.*, row_number() over (partition by b.workflow_id order by b.place) as nth
                  from b
                  where not exists (
                    select 1 from ${schema}.inbox i
                    where i.shard = b.shard and i.workflow_id = b.workflow_id and i.key = b.key
                    offset 0)),
                m as materialized (
                  select shard, workflow_id, ${now} as now, count(*) as items, array_agg(place) as places,
                    array_agg(nth) as nths, array_agg(key) as keys, array_agg(kind) as kinds, array_agg(payload) as payloads
                  from fresh
                  group by shard, workflow_id
                  order by workflow_id),
                l as materialized (
                  select m.*, locked.ctid as tid
                  from m cross join lateral (
                    select r.ctid
                    from ${schema}.run r
                    where r.shard = m.shard and r.workflow_id = m.workflow_id and r.current
                      and (r.status < 10 or r.status = 15)
                    for no key update skip locked) locked),
                u as (
                  update ${schema}.run r
                  set mail = r.mail + l.items,
                      wake_at = case
                        when r.status = 3 then least(r.wake_at, l.now)
                        when r.status = 2 then least(r.wake_at, l.now + ?::int8)
                        else r.wake_at end,
                      wake_reason = case
                        when r.status = 3 and coalesce(r.wake_at > l.now, true) then ?::int2
                        else r.wake_reason end
                  from l
                  where r.ctid = l.tid and r.shard = l.shard and r.workflow_id = l.workflow_id
                  returning (extract(epoch from clock_timestamp()) * 1000000)::bigint as accepted_at, l.places, %s,
                    l.items, l.nths, l.keys, l.kinds, l.payloads),
                i as (
                  insert into ${schema}.inbox (shard, workflow_id, key, kind, position, accepted_at, payload)
                  select u.shard, u.workflow_id, item.key, item.kind, u.mail - u.items + item.nth, u.accepted_at, item.payload
                  from u cross join lateral unnest(u.nths, u.keys, u.kinds, u.payloads) as item(nth, key, kind, payload))
                select r.accepted_at, r.places, %s, (select %s) from u r
                """.formatted(RunRows.COLUMNS, RunRows.COLUMNS, epoch.expression())));
    }

    /** Puts an outcome for each item that was accepted. */
    void run(
            Connection connection,
            int shard,
            List<Delivery> batch,
            Duration leasePeriod,
            Outcomes<Delivery, DeliverOutcome> outcomes)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            Params params = new Params(statement)
                    .integer(shard)
                    .texts(batch, Delivery::workflowId)
                    .texts(batch, Delivery::key)
                    .integers(batch, Delivery::kind)
                    .byteas(batch, Delivery::payload);
            StartStatement.bindFence(params, batch, Delivery::fence);
            params.delay(leasePeriod).integer(WakeReason.MAIL.code());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    accept(rows, outcomes);
                }
            }
        }
    }

    /** Numbers the items of one run by their places in the batch, as the statement did. */
    private static void accept(ResultSet rows, Outcomes<Delivery, DeliverOutcome> outcomes) throws SQLException {
        Instant at = RunRows.instant(rows, 1);
        Long[] places = (Long[]) rows.getArray(2).getArray();
        RunRow run = RunRows.read(rows, 2);
        String epoch = rows.getString(2 + RunRows.NUMBER + 1);
        Arrays.sort(places);
        long position = run.mail() - places.length;
        for (long place : places) {
            position++;
            outcomes.put((int) place - 1, new DeliverOutcome.Accepted(at, position, run.withMail(position), epoch));
        }
    }
}
