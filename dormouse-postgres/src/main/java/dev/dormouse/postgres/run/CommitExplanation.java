package dev.dormouse.postgres.run;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.postgres.sql.Epoch;
import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.RunRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reason why commits were not applied: they had been applied before, are fenced or too early, or their row is
 * locked.
 */
final class CommitExplanation {
    private final String sql;

    CommitExplanation(Schema schema, Epoch epoch) {
        this.sql = schema.sql("""
                with b as materialized (
                  select ?::int as shard, b.*
                  from unnest(?::uuid[], ?::int4[]) with ordinality as b(run_id, seq, place))
                select b.place, ${now}, r.lease, r.known_seq, r.mail, r.status, h.checksum, h.at, (select %s), r.wake_at,
                  r.inline_history
                from b
                  left join lateral (
                    select * from ${schema}.run r where r.shard = b.shard and r.run_id = b.run_id offset 0) r on true
                  left join lateral (
                    select * from ${schema}.history h
                    where h.shard = b.shard and h.run_id = b.run_id and h.seq = b.seq
                    offset 0) h on true
                """.formatted(epoch.expression()));
    }

    /**
     * Puts an outcome for each commit that has none.
     *
     * @param now the clock by which the commits were refused; the current time may be later
     */
    void run(Connection connection, int shard, Instant now, Outcomes<Commit, CommitOutcome> outcomes)
            throws SQLException {
        List<Integer> open = outcomes.open();
        List<Commit> entries = open.stream().map(outcomes::entry).toList();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new Params(statement)
                    .integer(shard)
                    .uuids(entries, Commit::runId)
                    .integers(entries, commit -> commit.fence().nextSeq());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    int place = open.get(rows.getInt(1) - 1);
                    Commit commit = outcomes.entry(place);
                    outcomes.put(place, explain(commit, now, Found.read(rows, commit)));
                }
            }
        }
    }

    private static CommitOutcome explain(Commit commit, Instant now, Found found) {
        Fence fence = commit.fence();
        // First: after a failover, a history row with the same checksum does not prove that the rest of what the node
        // knows still holds.
        if (!fence.fitsEpoch(found.epoch)) {
            return new CommitOutcome.Fenced();
        }
        if (wasApplied(commit, found)) {
            return new CommitOutcome.Committed(found.at, found.mail);
        }
        if (found.isClosed
                || found.lease != fence.lease()
                || found.nextSeq > fence.nextSeq()
                || found.hasHistory && commit.append().count() > 0
                || !fence.fitsAlarm(found.wakeAt)) {
            return new CommitOutcome.Fenced();
        }
        if (fence.mail() != Fence.ANY_MAIL && fence.mail() != found.mail) {
            return new CommitOutcome.NewMail(found.mail);
        }
        return Micros.roundUp(fence.notBefore()).isAfter(now)
                ? new CommitOutcome.TooEarly(now)
                : new CommitOutcome.Locked();
    }

    /** Returns true if this commit was applied before; see {@link Commit}. */
    private static boolean wasApplied(Commit commit, Found found) {
        long lease = commit.next().lease();
        if (commit.append().count() > 0) {
            return found.hasHistory
                    && found.checksum == commit.append().checksum()
                    && (found.lease == lease || lease == RunRow.NO_LEASE);
        }
        return lease != commit.fence().lease()
                && found.lease == lease
                && found.nextSeq == commit.fence().nextSeq();
    }

    /**
     * The run and history row that were found. A missing run gets a lease and a sequence number that match no fence.
     */
    private record Found(
            long lease,
            int nextSeq,
            long mail,
            boolean isClosed,
            boolean hasHistory,
            long checksum,
            Instant at,
            String epoch,
            @Nullable Instant wakeAt) {

        static Found read(ResultSet rows, Commit commit) throws SQLException {
            Instant now = RunRows.instant(rows, 2);
            int nextSeq = rows.getInt(4);
            boolean hasRun = !rows.wasNull();
            long checksum = rows.getLong(7);
            boolean hasHistory = !rows.wasNull();
            Instant at = hasHistory ? RunRows.instant(rows, 8) : now;
            for (HistoryRow row : InlineHistory.rows(commit.runId(), rows.getBytes(11))) {
                if (row.seq() == commit.fence().nextSeq()) {
                    hasHistory = true;
                    checksum = row.checksum();
                    at = row.at();
                }
            }
            return new Found(
                    rows.getLong(3),
                    hasRun ? nextSeq : -1,
                    rows.getLong(5),
                    rows.getInt(6) >= RunStatus.COMPLETED.code(),
                    hasHistory,
                    checksum,
                    at,
                    rows.getString(9),
                    RunRows.instantOrNull(rows, 10));
        }
    }
}
