package dev.dormouse.sqlite.claim;

import dev.dormouse.sqlite.sql.SqlSession;
import dev.dormouse.store.base.Micros;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Statements that read the alarms of some lanes without claiming anything.
 *
 * @param now in microseconds
 */
public record SweepStatements(SqlSession session, int shard, Collection<String> lanes, long now) {
    static final String OVERDUE = """
            select 1 from dormouse_run indexed by dormouse_run_alarm
            where shard = ? and lane = ? and wake_at <= ?
            limit 1""";

    static final String AHEAD = """
            select wake_at from dormouse_run indexed by dormouse_run_alarm
            where shard = ? and lane = ? and wake_at > ?
            order by wake_at
            limit ?""";

    public boolean isOverdue() throws SQLException {
        for (String lane : lanes) {
            if (session.call(OVERDUE)
                    .with(shard)
                    .with(lane)
                    .with(now)
                    .first(row -> true)
                    .isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** Returns the nearest alarms of all lanes, in order. Each lane is read only as far as it can still contribute. */
    public List<Instant> alarms(int limit) throws SQLException {
        PriorityQueue<Long> latestFirst = new PriorityQueue<>(Collections.reverseOrder());
        for (String lane : lanes) {
            session.call(AHEAD).with(shard).with(lane).with(now).with(limit).each(row -> {
                Long alarm = row.getLong(1);
                latestFirst.add(alarm);
                return latestFirst.size() <= limit || !alarm.equals(latestFirst.poll());
            });
        }
        return latestFirst.stream().sorted().map(Micros::toInstant).toList();
    }
}
