package dev.dormouse.postgres.claim;

import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.base.NodeRow;
import dev.dormouse.store.base.NodeState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** The rows of nodes: statements that read and remove them. {@link SweepStatements} writes them. */
public final class NodeRegistry {
    private final String nodes;
    private final String leave;

    public NodeRegistry(Schema schema) {
        this.nodes = schema.sql("""
                select node_id, build, lanes, started_at, seen_at, name, executing, parked, slots, lease_period, recovered
                from ${schema}.node where shard = ? order by node_id
                """);
        this.leave = schema.sql("delete from ${schema}.node where shard = ? and node_id = ?");
    }

    public List<NodeRow> nodes(Connection connection, int shard) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(nodes)) {
            new Params(statement).integer(shard);
            try (ResultSet rows = statement.executeQuery()) {
                List<NodeRow> all = new ArrayList<>();
                while (rows.next()) {
                    all.add(new NodeRow(
                            rows.getString(1),
                            rows.getString(2),
                            List.of((String[]) rows.getArray(3).getArray()),
                            RunRows.instant(rows, 4),
                            RunRows.instant(rows, 5),
                            state(rows)));
                }
                return all;
            }
        }
    }

    /** Binds the state that a node reports: name, executing, parked, slots, lease_period, recovered. */
    public static Params bind(Params params, NodeState state) throws SQLException {
        return params.text(state.name())
                .integer(state.executing())
                .integer(state.parked())
                .integer(state.slots())
                .delay(state.leasePeriod())
                .bigint(state.recovered());
    }

    private static NodeState state(ResultSet row) throws SQLException {
        return new NodeState(
                row.getString(6),
                row.getInt(7),
                row.getInt(8),
                row.getInt(9),
                Duration.of(row.getLong(10), ChronoUnit.MICROS),
                row.getLong(11));
    }

    public void leave(Connection connection, int shard, String nodeId) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(leave)) {
            new Params(statement).integer(shard).text(nodeId);
            statement.executeUpdate();
        }
    }
}
