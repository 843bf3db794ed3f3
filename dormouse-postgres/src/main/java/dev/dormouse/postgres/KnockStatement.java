package dev.dormouse.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Sets the alarms of stuck runs to now, for a build of the code that may be able to go on with them. */
final class KnockStatement {
    private final String sql;

    KnockStatement(Schema schema) {
        this.sql = schema.sql(
                """
                with l as materialized (
                  select r.shard, r.run_id
                  from (select ?::int as shard, lane from unnest(?::text[]) lane) lanes
                    join ${schema}.run r on r.shard = lanes.shard and r.lane = lanes.lane
                  where r.status = 4
                    and strpos(' ' || r.refused || ' ', ' ' || ?::text || ' ') = 0
                    and (r.wake_at is null or r.wake_at > ${now})
                  for no key update of r skip locked)
                update ${schema}.run r
                set wake_at = ${now}
                from l
                where r.shard = l.shard and r.run_id = l.run_id
                """);
    }

    int run(Connection connection, int shard, List<String> lanes, String build) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new Params(statement).integer(shard).texts(lanes).text(build);
            return statement.executeUpdate();
        }
    }
}
