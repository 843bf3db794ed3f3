package dev.dormouse.sqlite.run;

import dev.dormouse.sqlite.sql.Epoch;
import dev.dormouse.sqlite.sql.SqlSession;
import dev.dormouse.sqlite.sql.Tx;
import dev.dormouse.sqlite.sql.UuidBytes;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.OutboxFence;
import dev.dormouse.store.run.OutboxPage;
import dev.dormouse.store.run.Outgoing;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Statements that store, read and remove outbox items: messages from one run to another workflow id. */
public final class OutboxStatements {
    static final String ADD = """
            insert into dormouse_outbox (shard, id, workflow_id, kind, payload)
            values (?, ?, ?, ?, ?)""";

    static final String OLDEST = """
            select id, workflow_id, kind, payload, place from dormouse_outbox indexed by dormouse_outbox_place
            where shard = ? and place > ?
            order by place
            limit ?""";

    static final String ONE = """
            select id, workflow_id, kind, payload, place from dormouse_outbox
            where shard = ? and id = ?""";

    static final String ANY = "select exists (select 1 from dormouse_outbox where shard = ?)";

    static final String REMOVE = "delete from dormouse_outbox where shard = ? and id = ?";

    private OutboxStatements() {}

    static void add(Tx tx, Outgoing item) throws SQLException {
        tx.call(ADD)
                .with(tx.shard())
                .with(item.id())
                .with(item.workflowId())
                .with(item.kind())
                .with(item.payload())
                .update();
    }

    public static OutboxPage page(SqlSession session, int shard, Optional<String> after, int limit, Instant now)
            throws SQLException {
        List<Placed> found = session.call(OLDEST)
                .with(shard)
                .with(after.map(Long::parseLong).orElse(Long.MIN_VALUE))
                .with(limit)
                .all(OutboxStatements::read);
        String next = found.size() < limit ? null : Long.toString(found.get(limit - 1).place);
        return new OutboxPage(Epoch.ONLY, now, found.stream().map(Placed::item).toList(), next);
    }

    public static OutboxPage one(SqlSession session, int shard, UUID id, Instant now) throws SQLException {
        List<Placed> found = session.call(ONE).with(shard).with(id).all(OutboxStatements::read);
        return new OutboxPage(Epoch.ONLY, now, found.stream().map(Placed::item).toList(), null);
    }

    public static boolean isEmpty(SqlSession session, int shard) throws SQLException {
        return !session.call(ANY).with(shard).first(row -> row.getBoolean(1)).orElse(false);
    }

    public static int remove(Tx tx, String epoch, List<UUID> ids) throws SQLException {
        int removed = 0;
        if (!new OutboxFence(epoch, Micros.MAX).holds(Epoch.ONLY, tx.at())) {
            return removed;
        }
        for (UUID id : ids) {
            removed += tx.call(REMOVE).with(tx.shard()).with(id).update();
        }
        return removed;
    }

    private record Placed(Outgoing item, long place) {}

    private static Placed read(ResultSet row) throws SQLException {
        Outgoing item = new Outgoing(UuidBytes.toId(row.getBytes(1)), row.getString(2), row.getInt(3), row.getBytes(4));
        return new Placed(item, row.getLong(5));
    }
}
