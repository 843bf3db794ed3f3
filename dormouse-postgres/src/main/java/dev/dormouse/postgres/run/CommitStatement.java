package dev.dormouse.postgres.run;

import dev.dormouse.postgres.connect.SessionSettings;
import dev.dormouse.postgres.sql.AlarmColumns;
import dev.dormouse.postgres.sql.Epoch;
import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Outgoing;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The statement that commits runs: it locks their rows in key order, skips locked rows, checks the fences, updates the
 * rows, and appends to history and outbox. Entries that are not returned were refused or locked; nothing of them was
 * written.
 *
 * <p><b>Plans.</b> The planner knows neither the length of the batch nor the future size of the table when it caches a
 * plan. If it plans while the table is small, it chooses a table scan. So no part of the statement is a join that could
 * be reversed: each entry looks up its row in a lateral subquery, which a locking clause keeps separate, and the update
 * finds the locked row by its place ({@code ctid}), which costs less than any index. The columns of the batch pass
 * through the locking part and RETURNING, so that no two lists are compared with each other.
 *
 * <p><b>Races.</b> The lock reads the row again if it changed since the statement began, and the fence with it. The
 * update then does not find the new version, because it is not visible to the statement: such an entry is reported as
 * locked. The fence reads this row only; data of other tables that was read before the lock may be outdated.
 */
final class CommitStatement {
    /** The condition under which a commit resets the counters of takeovers and strikes. */
    private static final String PROGRESS = "l.events > 0 and (" + NextState.progressMask() + " >> l.reason) & 1 = 1";

    private final String sql;

    CommitStatement(Schema schema, Epoch epoch) {
        this(schema, epoch, "null");
    }

    /** Returns a statement for a user's transaction, which it makes durable. */
    static CommitStatement within(Schema schema, Epoch epoch) {
        return new CommitStatement(schema, epoch, SessionSettings.DURABLE);
    }

    private CommitStatement(Schema schema, Epoch epoch, String besides) {
        this.sql = schema.sql("""
                with b as materialized (
                  select ?::int as shard, ${now} as now, (select %s) as current_epoch, b.*
                  from unnest(?::uuid[], ?::int8[], ?::int4[], ?::int8[], ?::int8[], ?::text[], ?::int8[],
                      ?::int4[], ?::int8[], ?::bytea[], ?::bytea[], ?::int8[],
                      ?::int4[], ?::int8[], ?::int4[], ?::int8[], ?::int4[], ?::text[], ?::text[], ?::text[],
                      ?::int4[], ?::int4[])
                    with ordinality as b(run_id, lease, seq, mail, not_before, epoch, wake_at,
                      events, checksum, payload, head, consumed,
                      status, next_lease, alarm, alarm_micros, reason, lane, refused, trouble,
                      out_first, out_last, place)
                  order by run_id),
                l as materialized (
                  select b.*, locked.ctid as tid, locked.is_inline
                  from b cross join lateral (
                    select r.ctid,
                      b.head is not null and coalesce(octet_length(r.inline_history), 0)
                        + octet_length(b.payload) + ${overhead} <= ${most} as is_inline
                    from ${schema}.run r
                    where r.shard = b.shard and r.run_id = b.run_id
                      and r.lease = b.lease and r.known_seq <= b.seq and r.status < 10
                      and (b.mail = -1 or r.mail = b.mail) and b.not_before <= b.now
                      and b.epoch in ('', b.current_epoch)
                      and (b.wake_at = -1 or coalesce(r.wake_at, 0) = b.wake_at)
                    for no key update skip locked) locked),
                u as (
                  update ${schema}.run r
                  set status = l.status,
                      lease = l.next_lease,
                      owner = case when l.status in (1, 2) then r.owner else '' end,
                      wake_at = case l.alarm when 0 then r.wake_at when 2 then greatest(l.alarm_micros, l.now)
                        when 3 then l.now + least(l.alarm_micros, ${max} - l.now) end,
                      wake_reason = l.reason,
                      known_seq = l.seq + l.events,
                      checksum = l.checksum,
                      inline_history = case when l.is_inline
                        then coalesce(r.inline_history, '') || int8send(l.now) || l.head || l.payload
                        else r.inline_history end,
                      consumed = l.consumed,
                      takeovers = case when ${progress} then 0 else r.takeovers end,
                      strikes = case when ${progress} then 0 else r.strikes end,
                      lane = coalesce(l.lane, r.lane),
                      refused = coalesce(l.refused, r.refused),
                      trouble = l.trouble,
                      closed_at = case when l.status >= 10 then l.now end
                  from l
                  where r.ctid = l.tid and r.shard = l.shard and r.run_id = l.run_id
                  returning l.shard, l.run_id, l.seq, l.events, l.now, l.checksum, l.payload, l.is_inline,
                    l.out_first, l.out_last, l.place, r.mail),
                h as (
                  insert into ${schema}.history (shard, run_id, seq, events, at, checksum, payload)
                  select shard, run_id, seq, events, now, checksum, payload from u
                  where events > 0 and not is_inline),
                o as (
                  insert into ${schema}.outbox (shard, id, at, place, workflow_id, kind, payload)
                  select u.shard, item.id, u.now, u.out_first + item.nth - 1, item.workflow_id, item.kind, item.payload
                  from u cross join lateral unnest(
                      (?::uuid[])[u.out_first:u.out_last], (?::text[])[u.out_first:u.out_last],
                      (?::int4[])[u.out_first:u.out_last], (?::bytea[])[u.out_first:u.out_last])
                    with ordinality as item(id, workflow_id, kind, payload, nth))
                select one.now, u.place, u.mail, %s from (select ${now} as now) one left join u on true
                """.formatted(epoch.expression(), besides)
                .replace("${progress}", PROGRESS)
                .replace("${overhead}", Integer.toString(InlineHistory.OVERHEAD))
                .replace("${most}", Integer.toString(InlineHistory.MOST_BYTES)));
    }

    /** Puts an outcome for each commit that was applied, and returns the clock by which all were judged. */
    Instant run(Connection connection, int shard, List<Commit> batch, Outcomes<Commit, CommitOutcome> outcomes)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(new Params(statement), shard, batch);
            try (ResultSet rows = statement.executeQuery()) {
                return read(rows, outcomes);
            }
        }
    }

    private static Instant read(ResultSet rows, Outcomes<Commit, CommitOutcome> outcomes) throws SQLException {
        Instant now = Instant.EPOCH;
        while (rows.next()) {
            now = RunRows.instant(rows, 1);
            int place = rows.getInt(2);
            if (!rows.wasNull()) {
                outcomes.put(place - 1, new CommitOutcome.Committed(now, rows.getLong(3)));
            }
        }
        return now;
    }

    private static void bind(Params params, int shard, List<Commit> batch) throws SQLException {
        params.integer(shard)
                .uuids(batch, Commit::runId)
                .bigints(batch, commit -> commit.fence().lease())
                .integers(batch, commit -> commit.fence().nextSeq())
                .bigints(batch, commit -> commit.fence().mail())
                .bigints(batch, commit -> Micros.of(commit.fence().notBefore()))
                .texts(batch, commit -> commit.fence().epoch())
                .bigints(batch, commit -> commit.fence().alarm())
                .integers(batch, commit -> commit.append().count())
                .bigints(batch, commit -> commit.append().checksum())
                .byteas(batch, commit -> commit.append().payload())
                .byteas(batch, CommitStatement::head)
                .bigints(batch, Commit::consumed)
                .integers(batch, commit -> commit.next().status().code())
                .bigints(batch, commit -> commit.next().lease())
                .integers(batch, commit -> AlarmColumns.kind(commit.next().alarm()))
                .bigints(batch, commit -> AlarmColumns.value(commit.next().alarm()))
                .integers(batch, commit -> commit.next().reason().code())
                .texts(batch, commit -> commit.next().lane())
                .texts(batch, commit -> commit.next().refused())
                .texts(batch, commit -> commit.next().trouble());
        bindOutbox(params, batch);
    }

    static byte @Nullable [] head(Commit commit) {
        return commit.isFromOwner() ? InlineHistory.head(commit.fence().nextSeq(), commit.append()) : null;
    }

    /**
     * Binds all outgoing items as arrays of their own; each commit has the indexes of its first and last item. The
     * statement takes them as a slice, because to find one element of a text array PostgreSQL walks over all elements
     * before it.
     */
    private static void bindOutbox(Params params, List<Commit> batch) throws SQLException {
        List<Outgoing> outgoing = new ArrayList<>();
        List<Integer> firsts = new ArrayList<>();
        List<Integer> lasts = new ArrayList<>();
        for (Commit commit : batch) {
            firsts.add(outgoing.size() + 1);
            outgoing.addAll(commit.outbox());
            lasts.add(outgoing.size());
        }
        params.integers(firsts, Integer::intValue)
                .integers(lasts, Integer::intValue)
                .uuids(outgoing, Outgoing::id)
                .texts(outgoing, Outgoing::workflowId)
                .integers(outgoing, Outgoing::kind)
                .byteas(outgoing, Outgoing::payload);
    }
}
