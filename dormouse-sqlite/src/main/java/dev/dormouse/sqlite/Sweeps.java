package dev.dormouse.sqlite;

import dev.dormouse.store.Micros;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Looks at the alarms of some lanes, without taking anything.
 *
 * @param now in microseconds
 */
record Sweeps(Session session, int shard, Collection<String> lanes, long now) {
    static final String OVERDUE = """
            select 1 from dormouse_run indexed by dormouse_run_alarm
            where shard = ? and lane = ? and wake_at <= ?
            limit 1""";

    static final String AHEAD = """
            select wake_at from dormouse_run indexed by dormouse_run_alarm
            where shard = ? and lane = ? and wake_at > ?
            order by wake_at
            limit ?""";

    boolean isOverdue() throws SQLException {
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

    /** The nearest alarms of all lanes, in order; each lane is read only as far as it can still contribute. */
    List<Instant> alarms(int limit) throws SQLException {
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
