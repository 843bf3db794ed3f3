package dev.dormouse.postgres;

import dev.dormouse.store.NodeRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Who is there. */
final class NodeStatements {
    private final String nodes;
    private final String leave;

    NodeStatements(Schema schema) {
        this.nodes = schema.sql(
                "select node_id, build, lanes, started_at, seen_at from ${schema}.node where shard = ? order by node_id");
        this.leave = schema.sql("delete from ${schema}.node where shard = ? and node_id = ?");
    }

    List<NodeRow> nodes(Connection connection, int shard) throws SQLException {
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
                            RunRows.instant(rows, 5)));
                }
                return all;
            }
        }
    }

    void leave(Connection connection, int shard, String nodeId) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(leave)) {
            new Params(statement).integer(shard).text(nodeId);
            statement.executeUpdate();
        }
    }
}
