package dev.dormouse.testing.memory;

import dev.dormouse.store.event.PastEvent;
import dev.dormouse.store.page.TextOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The past events of one shard of a {@link MemoryStore}. Guarded by the store's lock. */
final class MemoryPastEvents {
    private static final int FORGOTTEN_FOR_EACH = 20;

    private record Key(String event, String id) {}

    private record Row(PastEvent event, Instant at, Instant until) {}

    private static final Comparator<Row> LATEST_FIRST = Comparator.comparing(Row::at)
            .thenComparing(row -> row.event().id(), TextOrder.BY_UTF8)
            .reversed();

    private final UndoLog.Table<Key, Row> rows;

    MemoryPastEvents(UndoLog journal) {
        rows = journal.newTable(Comparator.comparing(Key::event).thenComparing(Key::id));
    }

    void keep(List<PastEvent> batch, Duration keep, Instant now) {
        for (PastEvent event : batch) {
            Key key = new Key(event.event(), event.id());
            if (rows.get(key) == null) {
                rows.put(key, new Row(copy(event), now, RowEdit.after(now, keep)));
            }
        }
        List<Key> gone = rows.rows().entrySet().stream()
                .filter(row -> !row.getValue().until().isAfter(now))
                .map(Map.Entry::getKey)
                .limit((long) FORGOTTEN_FOR_EACH * batch.size())
                .toList();
        gone.forEach(rows::remove);
    }

    private static PastEvent copy(PastEvent event) {
        return new PastEvent(event.event(), event.id(), event.payload().clone());
    }

    List<PastEvent> latest(String event, Duration age, int limit, Instant now) {
        return rows.rows().values().stream()
                .filter(row -> row.event().event().equals(event))
                .filter(row -> Duration.between(row.at(), now).compareTo(age) <= 0)
                .sorted(LATEST_FIRST)
                .limit(limit)
                .map(row -> copy(row.event()))
                .toList();
    }
}
