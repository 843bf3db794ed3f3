package dev.dormouse.sqlite;

import dev.dormouse.store.Outgoing;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** What is on its way from one run to another workflow id. */
final class Outbox {
    static final String ADD = """
            insert into dormouse_outbox (shard, id, workflow_id, kind, payload)
            values (?, ?, ?, ?, ?)""";

    static final String OLDEST = """
            select id, workflow_id, kind, payload from dormouse_outbox indexed by dormouse_outbox_place
            where shard = ?
            order by place
            limit ?""";

    static final String ANY = "select exists (select 1 from dormouse_outbox where shard = ?)";

    static final String REMOVE = "delete from dormouse_outbox where shard = ? and id = ?";

    private Outbox() {}

    static void add(Tx tx, Outgoing item) throws SQLException {
        tx.call(ADD)
                .with(tx.shard())
                .with(item.id())
                .with(item.workflowId())
                .with(item.kind())
                .with(item.payload())
                .update();
    }

    static List<Outgoing> oldest(Session session, int shard, int limit) throws SQLException {
        return session.call(OLDEST).with(shard).with(limit).all(Outbox::read);
    }

    static boolean isEmpty(Session session, int shard) throws SQLException {
        return !session.call(ANY).with(shard).first(row -> row.getBoolean(1)).orElse(false);
    }

    static int remove(Tx tx, List<UUID> ids) throws SQLException {
        int removed = 0;
        for (UUID id : ids) {
            removed += tx.call(REMOVE).with(tx.shard()).with(id).update();
        }
        return removed;
    }

    private static Outgoing read(ResultSet row) throws SQLException {
        return new Outgoing(Ids.toId(row.getBytes(1)), row.getString(2), row.getInt(3), row.getBytes(4));
    }
}
