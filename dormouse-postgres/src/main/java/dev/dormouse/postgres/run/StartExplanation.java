package dev.dormouse.postgres.run;

import dev.dormouse.postgres.sql.Epoch;
import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The runs that prevented starts: the start's own run if an earlier attempt succeeded, even if it is no longer the
 * current one; otherwise the current run of the workflow id. Also finds starts whose fence does not hold.
 */
final class StartExplanation {
    private final String sql;

    StartExplanation(Schema schema, Epoch epoch) {
        this.sql = schema.sql(epoch.sql("""
                with b as materialized (
                  select ?::int as shard, b.workflow_id, b.run_id, b.place, ${fence} as holds
                  from unnest(?::text[], ?::uuid[], ?::text[], ?::int8[])
                    with ordinality as b(workflow_id, run_id, epoch, not_after, place))
                select b.place, b.holds, r.run_id is not null, %s
                from b left join lateral (
                  select * from ${schema}.run r where r.shard = b.shard and r.run_id = b.run_id offset 0) r on true
                union all
                select b.place, b.holds, true, %s
                from b cross join lateral (
                  select * from ${schema}.run r
                  where r.shard = b.shard and r.workflow_id = b.workflow_id and r.current
                  offset 0) r
                """.formatted(RunRows.COLUMNS, RunRows.COLUMNS)));
    }

    /**
     * The findings, by the places of the starts in the batch.
     *
     * @param inTheWay the existing runs; none for a start that no run prevents
     * @param fenced starts whose fence does not hold
     */
    record Found(Map<Integer, RunRow> inTheWay, Set<Integer> fenced) {}

    Found run(Connection connection, int shard, List<Start> batch) throws SQLException {
        Found found = new Found(new HashMap<>(), new HashSet<>());
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            Params params = new Params(statement)
                    .integer(shard)
                    .texts(batch, Start::workflowId)
                    .uuids(batch, Start::runId);
            StartStatement.bindFence(params, batch, Start::fence);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    add(rows, batch, found);
                }
            }
        }
        return found;
    }

    private static void add(ResultSet rows, List<Start> batch, Found found) throws SQLException {
        int place = rows.getInt(1) - 1;
        if (!rows.getBoolean(2)) {
            found.fenced.add(place);
        } else if (rows.getBoolean(3)) {
            RunRow run = RunRows.read(rows, 3);
            boolean own = run.runId().equals(batch.get(place).runId());
            found.inTheWay.merge(place, run, (one, other) -> own ? run : one);
        }
    }
}
