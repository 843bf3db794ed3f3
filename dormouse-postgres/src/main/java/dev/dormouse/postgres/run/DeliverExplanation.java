package dev.dormouse.postgres.run;

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
import java.util.List;

/**
 * The reason why items were not delivered: they had been delivered before, there is no run to receive them, their fence
 * does not hold, or a row is locked.
 */
final class DeliverExplanation {
    private final String sql;

    DeliverExplanation(Schema schema, Epoch epoch) {
        this.sql = schema.sql(epoch.sql("""
                with b as materialized (
                  select ?::int as shard, b.workflow_id, b.key, b.place, ${fence} as holds
                  from unnest(?::text[], ?::text[], ?::text[], ?::int8[])
                    with ordinality as b(workflow_id, key, epoch, not_after, place))
                select b.place, i.key is not null, i.position, r.run_id is not null, b.holds, %s
                from b
                  left join lateral (
                    select * from ${schema}.run r
                    where r.shard = b.shard and r.workflow_id = b.workflow_id and r.current
                    offset 0) r on true
                  left join lateral (
                    select * from ${schema}.inbox i
                    where i.shard = b.shard and i.workflow_id = b.workflow_id and i.key = b.key
                    offset 0) i on true
                """.formatted(RunRows.COLUMNS)));
    }

    /** Puts an outcome for each delivery that has none. */
    void run(Connection connection, int shard, Outcomes<Delivery, DeliverOutcome> outcomes) throws SQLException {
        List<Integer> open = outcomes.open();
        List<Delivery> entries = open.stream().map(outcomes::entry).toList();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            Params params = new Params(statement)
                    .integer(shard)
                    .texts(entries, Delivery::workflowId)
                    .texts(entries, Delivery::key);
            StartStatement.bindFence(params, entries, Delivery::fence);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    outcomes.put(open.get(rows.getInt(1) - 1), explain(rows));
                }
            }
        }
    }

    private static DeliverOutcome explain(ResultSet rows) throws SQLException {
        if (!rows.getBoolean(5)) {
            return new DeliverOutcome.Fenced();
        }
        if (rows.getBoolean(2)) {
            return new DeliverOutcome.Duplicate(rows.getLong(3));
        }
        if (!rows.getBoolean(4)) {
            return new DeliverOutcome.NoRun();
        }
        RunRow run = RunRows.read(rows, 5);
        return run.status().acceptsMessages() ? new DeliverOutcome.Locked() : new DeliverOutcome.RunClosed(run);
    }
}
