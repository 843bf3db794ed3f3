package dev.dormouse.postgres.claim;

import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.Schema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * The shortening of leases that end later than any lease can, because the server's clock was set back. Rarely needed.
 */
public final class ShortenLeaseStatements {
    private final String sql;

    public ShortenLeaseStatements(Schema schema) {
        this.sql = schema.sql("""
                with far as materialized (
                  select c.*
                  from (select ?::int as shard, lane, ${now} + ?::int8 as longest from unnest(?::text[]) lane) lanes
                    cross join lateral (
                      select r.shard, r.run_id, lanes.longest
                      from ${schema}.run r
                      where r.shard = lanes.shard and r.lane = lanes.lane and r.wake_at > lanes.longest
                        and r.status in (1, 2)
                      order by r.wake_at
                      limit 100000) c),
                l as materialized (
                  select far.*, locked.ctid as tid
                  from far cross join lateral (
                    select r.ctid
                    from ${schema}.run r
                    where r.shard = far.shard and r.run_id = far.run_id
                      and r.wake_at + 0 > far.longest and r.status + 0 in (1, 2)
                    for no key update skip locked) locked)
                update ${schema}.run r
                set wake_at = ${now} + ?::int8
                from l
                where r.ctid = l.tid and r.shard = l.shard and r.run_id = l.run_id
                """);
    }

    public int run(Connection connection, int shard, List<String> lanes, Duration longest, Duration leasePeriod)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new Params(statement).integer(shard).delay(longest).texts(lanes).delay(leasePeriod);
            return statement.executeUpdate();
        }
    }
}
