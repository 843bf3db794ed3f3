package dev.dormouse.postgres;

import dev.dormouse.store.PastEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What was published lately. Events whose time has passed go with those that come, as far as nobody else has locked them. */
final class PastEventStatements {
    private final String remember;
    private final String recall;
    private final AgeFloors floors = new AgeFloors();

    PastEventStatements(Schema schema) {
        this.remember = schema.sql("""
                with b as materialized (
                  select ?::int as shard, ?::text as event, ?::text as id, ?::int8 as keep, ?::bytea as payload,
                    ?::int8 as floor, ?::int8 as most),
                old as materialized (
                  select locked.*
                  from b cross join lateral (
                    select e.shard, e.ctid as tid
                    from ${schema}.past_event e
                    where e.shard = b.shard and e.until > 0 and e.until >= b.floor and e.until <= ${now}
                      and (e.event <> b.event or e.id <> b.id)
                    order by e.until
                    limit b.most
                    for update skip locked) locked),
                gone as (
                  delete from ${schema}.past_event e using old
                  where e.ctid = old.tid and e.shard = old.shard
                  returning e.until),
                kept as (
                  insert into ${schema}.past_event (shard, event, id, at, until, payload)
                  select b.shard, b.event, b.id, ${now}, ${now} + b.keep, b.payload
                  from b
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

    void remember(Connection connection, int shard, PastEvent event, Duration keep) throws SQLException {
        long floor = floors.of(shard);
        try (PreparedStatement statement = connection.prepareStatement(remember)) {
            new Params(statement)
                    .integer(shard)
                    .text(event.event())
                    .text(event.id())
                    .delay(keep)
                    .bytea(event.payload())
                    .bigint(floor)
                    .bigint(AgeFloors.MOST);
            floors.run(statement, shard, floor);
        }
    }

    List<PastEvent> recall(Connection connection, int shard, String event, Duration age, int limit)
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
