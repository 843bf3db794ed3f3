package dev.dormouse.postgres;

import dev.dormouse.store.Outgoing;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Reads what runs sent to others, and removes what has arrived. */
final class OutboxStatements {
    private final String oldest;
    private final String forwarded;

    OutboxStatements(Schema schema) {
        this.oldest = schema.sql("""
                select id, workflow_id, kind, payload from ${schema}.outbox where shard = ? and at > 0 order by at, place limit ?
                """);
        this.forwarded = schema.sql("""
                with l as materialized (
                  select b.*, locked.ctid as tid
                  from (select ?::int as shard, id from unnest(?::uuid[]) id) b
                    cross join lateral (
                      select o.ctid from ${schema}.outbox o where o.shard = b.shard and o.id = b.id
                      for update skip locked) locked)
                delete from ${schema}.outbox o using l where o.ctid = l.tid and o.shard = l.shard and o.id = l.id
                """);
    }

    List<Outgoing> oldest(Connection connection, int shard, int limit) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(oldest)) {
            new Params(statement).integer(shard).integer(limit);
            try (ResultSet rows = statement.executeQuery()) {
                List<Outgoing> all = new ArrayList<>();
                while (rows.next()) {
                    all.add(new Outgoing(
                            rows.getObject(1, UUID.class), rows.getString(2), rows.getInt(3), rows.getBytes(4)));
                }
                return all;
            }
        }
    }

    void forwarded(Connection connection, int shard, List<UUID> ids) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(forwarded)) {
            new Params(statement).integer(shard).uuids(ids);
            statement.executeUpdate();
        }
    }
}
