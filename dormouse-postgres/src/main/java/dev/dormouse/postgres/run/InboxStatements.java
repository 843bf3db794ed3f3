package dev.dormouse.postgres.run;

import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.run.InboxMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The statement that reads an inbox in order. */
public final class InboxStatements {
    private final String sql;

    public InboxStatements(Schema schema) {
        this.sql = schema.sql("""
                select position, key, kind, accepted_at, payload
                from (
                  select one.*, sum(octet_length(payload)) over (order by position) - octet_length(payload) as before
                  from (
                    select position, key, kind, accepted_at, payload
                    from ${schema}.inbox
                    where shard = ? and workflow_id = ? and position > ?
                    order by position
                    limit ?) one) counted
                where before < %d
                order by position
                """.formatted(InboxMessage.MOST_BYTES));
    }

    public List<InboxMessage> run(Connection connection, int shard, String workflowId, long after, int limit)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new Params(statement).integer(shard).text(workflowId).bigint(after).integer(limit);
            try (ResultSet rows = statement.executeQuery()) {
                List<InboxMessage> all = new ArrayList<>();
                while (rows.next()) {
                    all.add(new InboxMessage(
                            rows.getLong(1),
                            rows.getString(2),
                            rows.getInt(3),
                            RunRows.instant(rows, 4),
                            rows.getBytes(5)));
                }
                return all;
            }
        }
    }
}
