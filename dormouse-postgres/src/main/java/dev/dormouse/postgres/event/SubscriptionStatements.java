package dev.dormouse.postgres.event;

import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.event.Subscription;
import dev.dormouse.store.page.TextOrder;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Statements that store and read subscriptions: which workflow id waits for which event. Storing subscriptions deletes
 * expired ones, except rows that are locked or have the key of a new one. An expired subscription is not stored,
 * because no scan would look for it below the floor. Rows are written and locked in key order, so that two batches
 * cannot deadlock.
 */
public final class SubscriptionStatements {
    private final String subscribe;
    private final String unsubscribe;
    private final String read;
    private final ExpiryFloors floors = new ExpiryFloors();

    public SubscriptionStatements(Schema schema) {
        this.subscribe = schema.sql("""
                with one as materialized (
                  select ?::int as shard, ?::int8 as floor, ?::int8 as most),
                b as materialized (
                  select b.*
                  from unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::bytea[], ?::int8[])
                    as b(workflow_id, id, event, key, match, until)
                  order by workflow_id collate "C", id collate "C"),
                old as materialized (
                  select locked.*
                  from one cross join lateral (
                    select s.shard, s.ctid as tid
                    from ${schema}.subscription s
                    where s.shard = one.shard and s.until >= one.floor and s.until <= ${now}
                      and (s.workflow_id, s.id) not in (select b.workflow_id, b.id from b)
                    order by s.until
                    limit one.most
                    for update skip locked) locked),
                gone as (
                  delete from ${schema}.subscription s using old
                  where s.ctid = old.tid and s.shard = old.shard
                  returning s.until),
                kept as (
                  insert into ${schema}.subscription (shard, workflow_id, id, event, key, match, until)
                  select one.shard, b.workflow_id, b.id, b.event, b.key, b.match, b.until
                  from one cross join b
                  where b.until is null or b.until > ${now}
                  on conflict (shard, workflow_id, id) do nothing)
                select ${now}, count(*), max(until) from gone
                """);
        this.unsubscribe = schema.sql("""
                with b as materialized (
                  select ?::int as shard, b.*
                  from unnest(?::text[], ?::text[]) as b(workflow_id, id)
                  order by workflow_id collate "C", id collate "C"),
                l as materialized (
                  select b.shard, locked.ctid as tid
                  from b cross join lateral (
                    select s.ctid from ${schema}.subscription s
                    where s.shard = b.shard and s.workflow_id = b.workflow_id and s.id = b.id
                    for update) locked)
                delete from ${schema}.subscription s using l where s.ctid = l.tid and s.shard = l.shard
                """);
        this.read = schema.sql("""
                select c.*
                from (
                    select ?::int as shard, ?::text as event, b.*
                    from unnest(?::text[], ?::text[], ?::text[]) as b(key, workflow_id, id)) b
                  cross join lateral (
                    select s.workflow_id, s.id, s.event, s.key, s.match, s.until
                    from ${schema}.subscription s
                    where s.shard = b.shard and s.event = b.event and s.event >= '' and s.key = b.key
                      and (s.workflow_id collate "POSIX", s.id collate "POSIX") > (b.workflow_id, b.id)
                      and (s.until is null or s.until > ${now})
                    order by s.workflow_id collate "POSIX", s.id collate "POSIX"
                    limit ?::int8) c
                order by c.key, c.workflow_id, c.id
                limit ?::int8
                """);
    }

    public void subscribe(Connection connection, int shard, List<Subscription> batch) throws SQLException {
        long floor = floors.of(shard);
        long most = ExpiryFloors.most(batch.size());
        try (PreparedStatement statement = connection.prepareStatement(subscribe)) {
            new Params(statement)
                    .integer(shard)
                    .bigint(floor)
                    .bigint(most)
                    .texts(batch, Subscription::workflowId)
                    .texts(batch, Subscription::id)
                    .texts(batch, Subscription::event)
                    .texts(batch, Subscription::key)
                    .byteas(batch, Subscription::match)
                    .bigintsOrNull(batch, one -> one.until() == null ? null : Micros.of(one.until()));
            floors.run(statement, shard, floor, most);
        }
    }

    public void unsubscribe(Connection connection, int shard, List<Subscription> subscriptions) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(unsubscribe)) {
            new Params(statement)
                    .integer(shard)
                    .texts(subscriptions, Subscription::workflowId)
                    .texts(subscriptions, Subscription::id);
            statement.executeUpdate();
        }
    }

    /** Reads a page. A workflow id is never empty, so for keys after the end of the last page everything is read. */
    public List<Subscription> read(
            Connection connection,
            int shard,
            String event,
            Collection<String> keys,
            @Nullable Subscription after,
            int limit)
            throws SQLException {
        List<String> left = keys.stream()
                .distinct()
                .filter(key -> after == null || TextOrder.BY_UTF8.compare(key, after.key()) >= 0)
                .toList();
        try (PreparedStatement statement = connection.prepareStatement(read)) {
            new Params(statement)
                    .integer(shard)
                    .text(event)
                    .texts(left)
                    .texts(left, key -> after != null && key.equals(after.key()) ? after.workflowId() : "")
                    .texts(left, key -> after != null && key.equals(after.key()) ? after.id() : "")
                    .bigint(limit)
                    .bigint(limit);
            return readAll(statement);
        }
    }

    private static List<Subscription> readAll(PreparedStatement statement) throws SQLException {
        List<Subscription> all = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                all.add(new Subscription(
                        rows.getString(1),
                        rows.getString(2),
                        rows.getString(3),
                        rows.getString(4),
                        rows.getBytes(5),
                        RunRows.instantOrNull(rows, 6)));
            }
        }
        return all;
    }
}
