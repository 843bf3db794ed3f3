package dev.dormouse.postgres.claim;

import dev.dormouse.inspect.WakeReason;
import dev.dormouse.postgres.run.InlineHistory;
import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.queue.QueueClaim;
import dev.dormouse.store.queue.QueueTurn;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.RunRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The update of a queue's runs whose rows this transaction has locked: it leases some, postpones others, and revokes
 * leases.
 */
final class QueueUpdate {
    private static final int TAKE = 0;
    private static final int MOVE = 1;
    private static final int VOID = 2;

    private final String sql;

    QueueUpdate(Schema schema) {
        this.sql = schema.sql("""
                with b as materialized (
                  select ?::int as shard, b.* from unnest(?::uuid[], ?::int4[], ?::int8[]) as b(run_id, deed, at)),
                l as materialized (
                  select b.*, found.tid
                  from b cross join lateral (
                    select r.ctid as tid
                    from ${schema}.run r
                    where r.shard = b.shard and r.run_id = b.run_id
                    offset 0) found)
                update ${schema}.run r
                set status = case l.deed when 0 then 1 when 1 then r.status else 0 end,
                    lease = case l.deed when 0 then ?::int8 when 1 then r.lease else 0 end,
                    owner = case l.deed when 0 then ?::text when 1 then r.owner else '' end,
                    wake_at = case l.deed when 2 then r.wake_at else l.at end,
                    wake_reason = case
                      when l.deed = 0 and (r.takeovers > 0 or r.lease <> 0) then ?::int2
                      when l.deed = 0 then ?::int2
                      when l.deed = 1 then ?::int2
                      else r.wake_reason end,
                    %s
                from l
                where r.ctid = l.tid and r.shard = l.shard and r.run_id = l.run_id
                returning %s, r.inline_history
                """.formatted(ClaimStatements.COUNTED, RunRows.COLUMNS));
    }

    private record Deed(UUID runId, int what, long at) {}

    /** An updated row, and the run's history if the row has all of it. */
    record Updated(RunRow row, List<HistoryRow> history) {}

    /** Returns the updated rows by run id. */
    Map<UUID, Updated> run(Connection connection, int shard, QueueClaim claim, QueueTurn.Decision decision, Instant end)
            throws SQLException {
        List<Deed> deeds = new ArrayList<>();
        decision.taken().forEach(runId -> deeds.add(new Deed(runId, TAKE, Micros.of(end))));
        decision.moved().forEach((runId, at) -> deeds.add(new Deed(runId, MOVE, Micros.of(at))));
        decision.voided().forEach(runId -> deeds.add(new Deed(runId, VOID, 0)));
        Map<UUID, Updated> rows = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new Params(statement)
                    .integer(shard)
                    .uuids(deeds, Deed::runId)
                    .integers(deeds, Deed::what)
                    .bigints(deeds, Deed::at)
                    .bigint(claim.lease())
                    .text(claim.owner())
                    .integer(WakeReason.CLAIMED.code())
                    .integer(WakeReason.LEASE.code())
                    .integer(WakeReason.RATE.code());
            try (ResultSet changed = statement.executeQuery()) {
                while (changed.next()) {
                    RunRow row = RunRows.read(changed, 0);
                    byte[] inline = changed.getBytes(RunRows.NUMBER + 1);
                    rows.put(row.runId(), new Updated(row, InlineHistory.whole(row, inline)));
                }
            }
        }
        return rows;
    }
}
