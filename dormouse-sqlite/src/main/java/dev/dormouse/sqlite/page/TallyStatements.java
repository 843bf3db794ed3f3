package dev.dormouse.sqlite.page;

import dev.dormouse.sqlite.sql.InstantColumns;
import dev.dormouse.sqlite.sql.SqlSession;
import dev.dormouse.sqlite.sql.Tx;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.page.Tally;
import dev.dormouse.store.page.TallyCounts;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Statements that store and read tallies: the counters of nodes per time slot. */
public final class TallyStatements {
    static final String KEEP = """
            insert into dormouse_tally
              (shard, length, slot_at, node_id, started, completed, failed, closed, steps, fired, takeovers, lateness)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            on conflict do update set
              started = excluded.started, completed = excluded.completed, failed = excluded.failed,
              closed = excluded.closed, steps = excluded.steps, fired = excluded.fired,
              takeovers = excluded.takeovers, lateness = excluded.lateness""";

    static final String READ = """
            select length, slot_at, node_id, started, completed, failed, closed, steps, fired, takeovers, lateness
            from dormouse_tally
            where shard = ? and length = ? and slot_at >= ? and slot_at < ?
            order by slot_at, node_id""";

    static final String FORGET = "delete from dormouse_tally where shard = ? and length = ? and slot_at < ?";

    private TallyStatements() {}

    static void keep(Tx tx, String nodeId, Tally tally) throws SQLException {
        TallyCounts counts = tally.counts();
        tx.call(KEEP)
                .with(tx.shard())
                .with(tally.length().toSeconds())
                .with(InstantColumns.floor(tally.slot()))
                .with(nodeId)
                .with(counts.started())
                .with(counts.completed())
                .with(counts.failed())
                .with(counts.closed())
                .with(counts.steps())
                .with(counts.fired())
                .with(counts.takeovers())
                .with(counts.lateness().stream().map(String::valueOf).collect(Collectors.joining(",")))
                .update();
    }

    static List<Tally> read(SqlSession session, int shard, Duration length, Instant from, Instant to)
            throws SQLException {
        return session.call(READ)
                .with(shard)
                .with(length.toSeconds())
                .with(InstantColumns.floor(from))
                .with(InstantColumns.floor(to))
                .all(TallyStatements::read);
    }

    private static Tally read(ResultSet row) throws SQLException {
        return new Tally(
                row.getString(3),
                Micros.toInstant(row.getLong(2)),
                Duration.ofSeconds(row.getLong(1)),
                new TallyCounts(
                        row.getLong(4),
                        row.getLong(5),
                        row.getLong(6),
                        row.getLong(7),
                        row.getLong(8),
                        row.getLong(9),
                        row.getLong(10),
                        numbers(row.getString(11))));
    }

    private static List<Long> numbers(String text) {
        return Arrays.stream(text.split(",", -1)).map(Long::valueOf).toList();
    }

    static int forget(Tx tx, Duration length, Instant before) throws SQLException {
        return tx.call(FORGET)
                .with(tx.shard())
                .with(length.toSeconds())
                .with(InstantColumns.floor(before))
                .update();
    }
}
