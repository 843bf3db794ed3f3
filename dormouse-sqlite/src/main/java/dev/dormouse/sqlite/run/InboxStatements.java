package dev.dormouse.sqlite.run;

import dev.dormouse.sqlite.sql.SqlSession;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.InboxMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The statements that read inboxes. */
public final class InboxStatements {
    static final String AFTER = """
            select position, key, kind, accepted_at, payload from dormouse_inbox indexed by dormouse_inbox_position
            where shard = ? and workflow_id = ? and position > ?
            order by position
            limit ?""";

    private InboxStatements() {}

    public static List<InboxMessage> after(SqlSession session, int shard, String workflowId, long after, int limit)
            throws SQLException {
        List<InboxMessage> found = new ArrayList<>();
        long[] bytes = {0};
        session.call(AFTER).with(shard).with(workflowId).with(after).with(limit).each(row -> {
            InboxMessage item = read(row);
            found.add(item);
            bytes[0] += item.payload().length;
            return bytes[0] < InboxMessage.MOST_BYTES;
        });
        return found;
    }

    private static InboxMessage read(ResultSet row) throws SQLException {
        return new InboxMessage(
                row.getLong(1), row.getString(2), row.getInt(3), Micros.toInstant(row.getLong(4)), row.getBytes(5));
    }
}
