package dev.dormouse.postgres.run;

import dev.dormouse.postgres.sql.Epoch;
import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.OutboxPage;
import dev.dormouse.store.run.Outgoing;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Statements that read outbox items and remove delivered ones. The statement that reads the items also reads the epoch
 * and the clock, so that all come from the same server.
 *
 * <p>Pages after the first contain only items that were sent before the first page was read. A commit may become
 * visible late, at a position before the last page. The items that the same run sends later must not be read before the
 * items of that commit.
 */
public final class OutboxStatements {
    private static final String FIRST = "0/0/" + new UUID(0, 0) + "/" + Long.MAX_VALUE;
    private static final int LIMIT = 3;

    private final String page;
    private final String one;
    private final String forwarded;

    public OutboxStatements(Schema schema, Epoch epoch) {
        this.page = schema.sql("""
                select store.epoch, store.now, o.at || '/' || o.place || '/' || o.id, o.id, o.workflow_id, o.kind, o.payload
                from (select %s as epoch, ${now} as now) store
                  left join lateral (
                    select at, place, id, workflow_id, kind, payload
                    from ${schema}.outbox
                    where shard = ? and at > 0 and (at, place, id) > (?::int8, ?::int4, ?::uuid) and at <= ?::int8
                    order by at, place, id
                    limit ?) o on true
                order by o.at, o.place, o.id
                """.formatted(epoch.expression()));
        this.one = schema.sql("""
                select store.epoch, store.now, '', o.id, o.workflow_id, o.kind, o.payload
                from (select %s as epoch, ${now} as now) store
                  left join lateral (
                    select id, workflow_id, kind, payload from ${schema}.outbox where shard = ? and id = ? offset 0) o on true
                """.formatted(epoch.expression()));
        this.forwarded = schema.sql("""
                with l as materialized (
                  select b.*, locked.ctid as tid
                  from (
                      select ?::int as shard, id
                      from unnest(?::uuid[]) id, (select ?::text as epoch) known
                      where known.epoch = '' or known.epoch = (select %s)) b
                    cross join lateral (
                      select o.ctid from ${schema}.outbox o where o.shard = b.shard and o.id = b.id
                      for update skip locked) locked)
                delete from ${schema}.outbox o using l where o.ctid = l.tid and o.shard = l.shard and o.id = l.id
                """.formatted(epoch.expression()));
    }

    public OutboxPage page(Connection connection, int shard, Optional<String> after, int limit) throws SQLException {
        String[] place = after.orElse(FIRST).split("/", -1);
        try (PreparedStatement statement = connection.prepareStatement(page)) {
            new Params(statement)
                    .integer(shard)
                    .bigint(Long.parseLong(place[0]))
                    .integer(Integer.parseInt(place[1]))
                    .uuid(UUID.fromString(place[2]))
                    .bigint(Long.parseLong(place[LIMIT]))
                    .integer(limit);
            OutboxPage read = read(statement, limit);
            String sentBefore = after.isEmpty() ? Long.toString(Micros.of(read.now())) : place[LIMIT];
            String next = read.next() == null ? null : read.next() + "/" + sentBefore;
            return new OutboxPage(read.epoch(), read.now(), read.items(), next);
        }
    }

    public OutboxPage one(Connection connection, int shard, UUID id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(one)) {
            new Params(statement).integer(shard).uuid(id);
            return read(statement, Integer.MAX_VALUE);
        }
    }

    private static OutboxPage read(PreparedStatement statement, int limit) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            List<Outgoing> items = new ArrayList<>();
            String epoch = "";
            String last = null;
            Instant now = Instant.EPOCH;
            while (rows.next()) {
                epoch = rows.getString(1);
                now = RunRows.instant(rows, 2);
                last = rows.getString(3);
                UUID id = rows.getObject(4, UUID.class);
                if (id != null) {
                    items.add(new Outgoing(id, rows.getString(5), rows.getInt(6), rows.getBytes(7)));
                }
            }
            return new OutboxPage(epoch, now, items, items.size() < limit ? null : last);
        }
    }

    public void forwarded(Connection connection, int shard, String epoch, List<UUID> ids) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(forwarded)) {
            new Params(statement).integer(shard).uuids(ids).text(epoch);
            statement.executeUpdate();
        }
    }
}
