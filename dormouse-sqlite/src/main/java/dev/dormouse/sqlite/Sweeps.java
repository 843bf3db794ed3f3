package dev.dormouse.sqlite;

import dev.dormouse.store.Micros;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.PriorityQueue;

/** Looks at the nearest alarms, without taking anything. */
final class Sweeps {
    static final String ALARMS = """
            select wake_at from dormouse_run indexed by dormouse_run_alarm
            where shard = ? and lane = ? and wake_at is not null
            order by wake_at
            limit ?""";

    private Sweeps() {}

    /** The nearest alarms of all lanes, in order; each lane is read only as far as it can still contribute. */
    static List<Instant> alarms(Session session, int shard, Collection<String> lanes, int limit) throws SQLException {
        PriorityQueue<Long> latestFirst = new PriorityQueue<>(Collections.reverseOrder());
        for (String lane : lanes) {
            session.call(ALARMS).with(shard).with(lane).with(limit).each(row -> {
                Long alarm = row.getLong(1);
                latestFirst.add(alarm);
                return latestFirst.size() <= limit || !alarm.equals(latestFirst.poll());
            });
        }
        return latestFirst.stream().sorted().map(Micros::toInstant).toList();
    }
}
