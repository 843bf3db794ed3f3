package dev.dormouse.postgres.run;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.postgres.sql.AlarmColumns;
import dev.dormouse.postgres.sql.Epoch;
import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.NextState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The commit of one run that sends nothing, as {@link CommitStatement} would do it: it locks the row, unless another
 * transaction holds it, checks the fence, updates the row and inserts the history row. PostgreSQL sets up the plan of
 * a batch at each execution, and for a batch of one that takes longer than the update.
 */
final class SingleCommit {
    private static final String LOCK = """
            with l as (
              select r.ctid as tid, ?::int4 > 0 and coalesce(octet_length(r.inline_history), 0) + ?::int4 <= ${most} as is_inline
              from ${schema}.run r
              where r.shard = ?::int4 and r.run_id = ?::uuid
                and r.lease = ?::int8 and r.known_seq <= ?::int4 and r.status < 10
                and (?::int8 = -1 or r.mail = ?::int8) and ?::int8 <= ${now}
                and (?::text = '' or ?::text = (select ${epoch}))
                and (?::int8 = -1 or coalesce(r.wake_at, 0) = ?::int8)
              for no key update skip locked)""";

    private static final String UPDATE = """
            update ${schema}.run r
            set status = ?::int2,
                lease = ?::int8,
                owner = case when ?::bool then r.owner else '' end,
                wake_at = case ?::int4 when 0 then r.wake_at when 2 then greatest(?::int8, ${now})
                  when 3 then ${now} + least(?::int8, ${max} - ${now}) end,
                wake_reason = ?::int2,
                known_seq = ?::int4,
                checksum = ?::int8,
                inline_history = case when l.is_inline
                  then coalesce(r.inline_history, '') || int8send(${now}) || ?::bytea || ?::bytea
                  else r.inline_history end,
                consumed = ?::int8,
                takeovers = case when ?::bool then 0 else r.takeovers end,
                strikes = case when ?::bool then 0 else r.strikes end,
                lane = coalesce(?::text, r.lane),
                refused = coalesce(?::text, r.refused),
                trouble = ?::text,
                closed_at = case when ?::bool then ${now} end
            from l
            where r.ctid = l.tid and r.shard = ?::int4 and r.run_id = ?::uuid
            returning r.mail, l.is_inline""";

    private static final byte[] NOTHING = {};

    private final String sql;

    SingleCommit(Schema schema, Epoch epoch) {
        this.sql = schema.sql((LOCK + ", u as (" + UPDATE + """
                ), h as (
                  insert into ${schema}.history (shard, run_id, seq, events, at, checksum, payload)
                  select ?::int4, ?::uuid, ?::int4, ?::int4, ${now}, ?::int8, ?::bytea
                  from u
                  where not u.is_inline and ?::bool)
                select one.now, u.mail from (select ${now} as now) one left join u on true
                """)
                .replace("${epoch}", epoch.expression())
                .replace("${most}", Integer.toString(InlineHistory.MOST_BYTES)));
    }

    /** Returns true if this statement can write the commit. */
    static boolean suits(Commit commit) {
        return commit.outbox().isEmpty();
    }

    /** Puts an outcome if the commit was applied, and returns the clock by which it was judged. */
    Instant run(Connection connection, int shard, Commit commit, Outcomes<Commit, CommitOutcome> outcomes)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(new Params(statement), shard, commit);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                Instant now = RunRows.instant(rows, 1);
                long mail = rows.getLong(2);
                if (!rows.wasNull()) {
                    outcomes.put(0, new CommitOutcome.Committed(now, mail));
                }
                return now;
            }
        }
    }

    private static void bind(Params params, int shard, Commit commit) throws SQLException {
        Append append = commit.append();
        byte[] head = CommitStatement.head(commit);
        params.integer(head == null ? 0 : 1).integer(append.payload().length + InlineHistory.OVERHEAD);
        bindFence(params, shard, commit);
        bindState(params, commit, head);
        params.integer(shard)
                .uuid(commit.runId())
                .integer(shard)
                .uuid(commit.runId())
                .integer(commit.fence().nextSeq())
                .integer(append.count())
                .bigint(append.checksum())
                .bytea(append.payload())
                .bool(append.count() > 0);
    }

    private static void bindFence(Params params, int shard, Commit commit) throws SQLException {
        Fence fence = commit.fence();
        params.integer(shard)
                .uuid(commit.runId())
                .bigint(fence.lease())
                .integer(fence.nextSeq())
                .bigint(fence.mail())
                .bigint(fence.mail())
                .bigint(Micros.of(fence.notBefore()))
                .text(fence.epoch())
                .text(fence.epoch())
                .bigint(fence.alarm())
                .bigint(fence.alarm());
    }

    private static void bindState(Params params, Commit commit, byte @Nullable [] head) throws SQLException {
        NextState next = commit.next();
        Append append = commit.append();
        boolean isProgress = append.count() > 0 && next.isProgress();
        params.integer(next.status().code())
                .bigint(next.lease())
                .bool(next.status() == RunStatus.RUNNING || next.status() == RunStatus.PARKED)
                .integer(AlarmColumns.kind(next.alarm()))
                .bigint(AlarmColumns.value(next.alarm()))
                .bigint(AlarmColumns.value(next.alarm()))
                .integer(next.reason().code())
                .integer(commit.fence().nextSeq() + append.count())
                .bigint(append.checksum())
                .bytea(head == null ? NOTHING : head)
                .bytea(head == null ? NOTHING : append.payload()) // a long one is sent once
                .bigint(commit.consumed())
                .bool(isProgress)
                .bool(isProgress)
                .text(next.lane())
                .text(next.refused())
                .text(next.trouble())
                .bool(next.status().isClosed());
    }
}
