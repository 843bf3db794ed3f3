package dev.dormouse.postgres;

import dev.dormouse.store.RunRow;
import dev.dormouse.store.Start;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the runs that stood in the way of starts: the start's own one where an earlier attempt had gone through, be it
 * still the workflow id's current one or not; otherwise the current one.
 */
final class StartExplanation {
    private final String sql;

    StartExplanation(Schema schema) {
        this.sql = schema.sql("""
                with b as materialized (
                  select ?::int as shard, b.*
                  from unnest(?::text[], ?::uuid[]) with ordinality as b(workflow_id, run_id, place))
                select b.place, %s
                from b cross join lateral (
                  select * from ${schema}.run r where r.shard = b.shard and r.run_id = b.run_id offset 0) r
                union all
                select b.place, %s
                from b cross join lateral (
                  select * from ${schema}.run r
                  where r.shard = b.shard and r.workflow_id = b.workflow_id and r.current
                  offset 0) r
                """.formatted(RunRows.COLUMNS, RunRows.COLUMNS));
    }

    /** The runs found, by the places of their starts in the batch; none for a start that nothing stands in the way of. */
    Map<Integer, RunRow> run(Connection connection, int shard, List<Start> batch) throws SQLException {
        Map<Integer, RunRow> found = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new Params(statement).integer(shard).texts(batch, Start::workflowId).uuids(batch, Start::runId);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    int place = rows.getInt(1) - 1;
                    RunRow run = RunRows.read(rows, 1);
                    boolean own = run.runId().equals(batch.get(place).runId());
                    found.merge(place, run, (one, other) -> own ? run : one);
                }
            }
        }
        return found;
    }
}
