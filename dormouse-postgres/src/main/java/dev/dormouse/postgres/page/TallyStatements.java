package dev.dormouse.postgres.page;

import dev.dormouse.postgres.claim.NodeRegistry;
import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.base.NodeState;
import dev.dormouse.store.page.Tally;
import dev.dormouse.store.page.TallyCounts;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Statements that store and read tallies (the counters of nodes per time slot), and that store the states that nodes
 * report.
 */
final class TallyStatements {
    private final String keep;
    private final String read;
    private final String forget;

    TallyStatements(Schema schema) {
        this.keep = schema.sql("""
                with said as (
                  update ${schema}.node
                  set name = ?, executing = ?, parked = ?, slots = ?, lease_period = ?, recovered = ?
                  where shard = ? and node_id = ?)
                insert into ${schema}.tally as t
                  (shard, node_id, length, slot_at, started, completed, failed, closed, steps, fired, takeovers, lateness)
                select ?, ?, length, slot_at, started, completed, failed, closed, steps, fired, takeovers,
                  lateness::int8[]
                from unnest(?::int4[], ?::int8[], ?::int8[], ?::int8[], ?::int8[], ?::int8[], ?::int8[], ?::int8[],
                    ?::int8[], ?::text[])
                  as n(length, slot_at, started, completed, failed, closed, steps, fired, takeovers, lateness)
                on conflict (shard, length, slot_at, node_id) do update
                set started = excluded.started, completed = excluded.completed, failed = excluded.failed,
                  closed = excluded.closed, steps = excluded.steps, fired = excluded.fired,
                  takeovers = excluded.takeovers, lateness = excluded.lateness
                """);
        this.read = schema.sql("""
                select node_id, slot_at, length, started, completed, failed, closed, steps, fired, takeovers, lateness
                from ${schema}.tally
                where shard = ? and length = ? and slot_at >= ? and slot_at < ?
                order by slot_at, node_id
                """);
        this.forget = schema.sql("delete from ${schema}.tally where shard = ? and length = ? and slot_at < ?");
    }

    void keep(Connection connection, int shard, String nodeId, NodeState state, List<Tally> tallies)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(keep)) {
            Params params = NodeRegistry.bind(new Params(statement), state)
                    .integer(shard)
                    .text(nodeId)
                    .integer(shard)
                    .text(nodeId);
            params.integers(tallies, tally -> seconds(tally.length()))
                    .bigints(tallies, tally -> Micros.of(tally.slot()))
                    .bigints(tallies, tally -> tally.counts().started())
                    .bigints(tallies, tally -> tally.counts().completed())
                    .bigints(tallies, tally -> tally.counts().failed())
                    .bigints(tallies, tally -> tally.counts().closed())
                    .bigints(tallies, tally -> tally.counts().steps())
                    .bigints(tallies, tally -> tally.counts().fired())
                    .bigints(tallies, tally -> tally.counts().takeovers())
                    .texts(tallies, tally -> array(tally.counts().lateness()));
            statement.executeUpdate();
        }
    }

    private static int seconds(Duration length) {
        return Math.toIntExact(length.toSeconds());
    }

    private static String array(List<Long> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}"));
    }

    List<Tally> read(Connection connection, int shard, Duration length, Instant from, Instant to) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(read)) {
            new Params(statement)
                    .integer(shard)
                    .integer(seconds(length))
                    .bigint(Micros.of(from))
                    .bigint(Micros.of(to));
            List<Tally> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(read(rows));
                }
            }
            return found;
        }
    }

    private static Tally read(ResultSet row) throws SQLException {
        return new Tally(
                row.getString(1),
                RunRows.instant(row, 2),
                Duration.ofSeconds(row.getInt(3)),
                new TallyCounts(
                        row.getLong(4),
                        row.getLong(5),
                        row.getLong(6),
                        row.getLong(7),
                        row.getLong(8),
                        row.getLong(9),
                        row.getLong(10),
                        List.of((Long[]) row.getArray(11).getArray())));
    }

    int forget(Connection connection, int shard, Duration length, Instant before) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(forget)) {
            new Params(statement).integer(shard).integer(seconds(length)).bigint(Micros.of(before));
            return statement.executeUpdate();
        }
    }
}
