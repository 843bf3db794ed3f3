package dev.dormouse.postgres.notify;

import dev.dormouse.store.base.Micros;
import dev.dormouse.store.base.Notice;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Notices that wait to be sent: the earliest alarm per lane, and one of equal notices. Bounded: notices are dropped
 * when it is full. Not thread-safe.
 */
final class PendingNotices {
    private static final int MOST = 10_000;

    /** PostgreSQL accepts payloads of fewer than 8,000 bytes. */
    private static final int MOST_BYTES = 7_900;

    private final Map<String, Instant> alarms = new LinkedHashMap<>();
    private final Set<String> others = new LinkedHashSet<>();

    boolean isEmpty() {
        return alarms.isEmpty() && others.isEmpty();
    }

    void add(Notice notice) {
        if (alarms.size() + others.size() >= MOST) {
            return;
        }
        if (notice instanceof Notice.AlarmSet alarm) {
            String prefix = NoticeCodec.alarmSetPrefix(alarm.shard(), alarm.lane());
            alarms.merge(prefix, alarm.at(), (one, other) -> one.isBefore(other) ? one : other);
        } else {
            others.add(NoticeCodec.encode(notice));
        }
    }

    /** Removes all notices and returns them as payloads of as many lines as fit. */
    List<String> removeAll() {
        List<String> lines = new ArrayList<>();
        alarms.forEach((prefix, at) -> lines.add(prefix + Micros.of(at)));
        lines.addAll(others);
        alarms.clear();
        others.clear();
        return pack(lines);
    }

    private static List<String> pack(List<String> lines) {
        List<String> payloads = new ArrayList<>();
        StringBuilder payload = new StringBuilder();
        int bytes = 0;
        for (String line : lines) {
            int length = line.getBytes(StandardCharsets.UTF_8).length + 1;
            if (length > MOST_BYTES) {
                continue;
            }
            if (bytes + length > MOST_BYTES) {
                payloads.add(payload.toString());
                payload.setLength(0);
                bytes = 0;
            }
            payload.append(line).append('\n');
            bytes += length;
        }
        payloads.add(payload.toString());
        return payloads;
    }
}
