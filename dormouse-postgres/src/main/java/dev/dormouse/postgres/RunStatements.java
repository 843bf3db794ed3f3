package dev.dormouse.postgres;

import dev.dormouse.store.RunRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads runs by their ids. */
final class RunStatements {
    private final String byRunIds;
    private final String current;

    RunStatements(Schema schema) {
        String select = "select " + RunRows.COLUMNS + " from ${schema}.run r ";
        this.byRunIds = schema.sql(select + "where r.shard = ? and r.run_id = any(?::uuid[])");
        this.current = schema.sql(select + "where r.shard = ? and r.workflow_id = ? and r.current");
    }

    List<RunRow> byRunIds(Connection connection, int shard, List<UUID> runIds) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(byRunIds)) {
            new Params(statement).integer(shard).uuids(runIds);
            try (ResultSet rows = statement.executeQuery()) {
                return RunRows.readAll(rows);
            }
        }
    }

    Optional<RunRow> current(Connection connection, int shard, String workflowId) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(current)) {
            new Params(statement).integer(shard).text(workflowId);
            try (ResultSet rows = statement.executeQuery()) {
                return RunRows.readAll(rows).stream().findFirst();
            }
        }
    }
}
