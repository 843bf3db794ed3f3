package dev.dormouse.postgres.event;

import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.event.PastEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Statements that store and read recently published events. Storing events deletes expired ones, except rows that are
 * locked or have the key of a new event. New events are written in key order, so that two batches cannot deadlock.
 */
public final class PastEventStatements {
    private final String remember;
    private final String recall;
    private final ExpiryFloors floors = new ExpiryFloors();

    public PastEventStatements(Schema schema) {
        this.remember = schema.sql("""
                with one as materialized (
                  select ?::int as shard, ?::int8 as keep, ?::int8 as floor, ?::int8 as most),
                b as materialized (
                  select b.*
                  from unnest(?::text[], ?::text[], ?::bytea[]) as b(event, id, payload)
                  order by event collate "C", id collate "C"),
                old as materialized (
                  select locked.*
                  from one cross join lateral (
                    select e.shard, e.ctid as tid
                    from ${schema}.past_event e
                    where e.shard = one.shard and e.until > 0 and e.until >= one.floor and e.until <= ${now}
                      and (e.event, e.id) not in (select b.event, b.id from b)
                    order by e.until
                    limit one.most
                    for update skip locked) locked),
                gone as (
                  delete from ${schema}.past_event e using old
                  where e.ctid = old.tid and e.shard = old.shard
                  returning e.until),
                kept as (
                  insert into ${schema}.past_event (shard, event, id, at, until, payload)
                  select one.shard, b.event, b.id, ${now}, ${now} + one.keep, b.payload
                  from one cross join b
                  on conflict (shard, event, id) do nothing)
                select ${now}, count(*), max(until) from gone
                """);
        this.recall = schema.sql("""
                select event, id, payload
                from ${schema}.past_event
                where shard = ? and event = ? and at > 0 and at >= ${now} - ?::int8
                order by at desc, id desc
                limit ?
                """);
    }

    public void remember(Connection connection, int shard, List<PastEvent> batch, Duration keep) throws SQLException {
        long floor = floors.of(shard);
        long most = ExpiryFloors.most(batch.size());
        try (PreparedStatement statement = connection.prepareStatement(remember)) {
            new Params(statement)
                    .integer(shard)
                    .delay(keep)
                    .bigint(floor)
                    .bigint(most)
                    .texts(batch, PastEvent::event)
                    .texts(batch, PastEvent::id)
                    .byteas(batch, PastEvent::payload);
            floors.run(statement, shard, floor, most);
        }
    }

    public List<PastEvent> recall(Connection connection, int shard, String event, Duration age, int limit)
            throws SQLException {
        List<PastEvent> latest = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(recall)) {
            new Params(statement).integer(shard).text(event).delay(age).integer(limit);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    latest.add(new PastEvent(rows.getString(1), rows.getString(2), rows.getBytes(3)));
                }
            }
        }
        return latest;
    }
}
