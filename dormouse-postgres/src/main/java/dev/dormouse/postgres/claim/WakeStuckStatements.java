package dev.dormouse.postgres.claim;

import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.Schema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * The statement that sets the alarms of stuck runs to now, for a build that may be able to continue them. Runs without
 * an alarm are left alone.
 */
public final class WakeStuckStatements {
    private final String sql;

    public WakeStuckStatements(Schema schema) {
        this.sql = schema.sql("""
                with stuck as materialized (
                  select c.*
                  from (select ?::int as shard, lane from unnest(?::text[]) lane) lanes
                    cross join lateral (
                      select r.shard, r.run_id
                      from ${schema}.run r
                      where r.shard = lanes.shard and r.lane = lanes.lane and r.status = 4
                        and strpos(' ' || r.refused || ' ', ' ' || ?::text || ' ') = 0
                        and coalesce(r.wake_at, 0) > ${now}
                        and (r.takeovers = 0 or r.refused <> '' and r.strikes = 0)
                      offset 0) c),
                l as materialized (
                  select stuck.*, locked.ctid as tid
                  from stuck cross join lateral (
                    select r.ctid
                    from ${schema}.run r
                    where r.shard = stuck.shard and r.run_id = stuck.run_id and r.status + 0 = 4
                    for no key update skip locked) locked)
                update ${schema}.run r
                set wake_at = ${now}
                from l
                where r.ctid = l.tid and r.shard = l.shard and r.run_id = l.run_id
                """);
    }

    public int run(Connection connection, int shard, List<String> lanes, String build) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new Params(statement).integer(shard).texts(lanes).text(build);
            return statement.executeUpdate();
        }
    }
}
