package dev.dormouse.testing.memory;

import dev.dormouse.store.run.OutboxPage;
import dev.dormouse.store.run.Outgoing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The outbox of one shard of a {@link MemoryStore}. Guarded by the store's lock. */
final class MemoryOutbox {
    private final UndoLog.Table<Long, Outgoing> items;
    private final UndoLog.Table<UUID, Long> places;

    MemoryOutbox(UndoLog journal) {
        this.items = journal.newTable(Long::compareTo);
        this.places = journal.newTable(UUID::compareTo);
    }

    /** A page of items, oldest first, and the start of the next page. */
    record Part(List<Outgoing> items, @Nullable String next) {
        OutboxPage of(String epoch, Instant now) {
            return new OutboxPage(epoch, now, items, next);
        }
    }

    void add(long place, Outgoing item) {
        items.put(place, item);
        places.put(item.id(), place);
    }

    boolean isEmpty() {
        return items.rows().isEmpty();
    }

    Part part(Optional<String> after, int limit) {
        NavigableMap<Long, Outgoing> rest = after.map(place -> items.rows().tailMap(Long.parseLong(place), false))
                .orElse(items.rows());
        // Without a stream: that would first count all items of the rest
        List<Outgoing> found = new ArrayList<>();
        Long last = null;
        for (Map.Entry<Long, Outgoing> entry : rest.entrySet()) {
            if (found.size() == limit) {
                return new Part(found, String.valueOf(last));
            }
            found.add(entry.getValue());
            last = entry.getKey();
        }
        return new Part(found, null);
    }

    Part part(UUID id) {
        Long place = places.get(id);
        return new Part(place == null ? List.of() : List.of(Objects.requireNonNull(items.get(place))), null);
    }

    void remove(List<UUID> ids) {
        for (UUID id : ids) {
            Long place = places.get(id);
            if (place != null) {
                places.remove(id);
                items.remove(place);
            }
        }
    }
}
