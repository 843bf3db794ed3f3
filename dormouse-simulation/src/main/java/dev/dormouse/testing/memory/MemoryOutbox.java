package dev.dormouse.testing.memory;

import dev.dormouse.store.run.OutboxPage;
import dev.dormouse.store.run.Outgoing;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The outbox of one shard of a {@link MemoryStore}. Guarded by the store's lock. */
final class MemoryOutbox {
    private final UndoLog.Table<Long, Outgoing> items;

    MemoryOutbox(UndoLog journal) {
        this.items = journal.newTable(Long::compareTo);
    }

    /** A page of items, oldest first, and the start of the next page. */
    record Part(List<Outgoing> items, @Nullable String next) {
        OutboxPage of(String epoch, Instant now) {
            return new OutboxPage(epoch, now, items, next);
        }
    }

    void add(long place, Outgoing item) {
        items.put(place, item);
    }

    boolean isEmpty() {
        return items.rows().isEmpty();
    }

    Part part(Optional<String> after, int limit) {
        NavigableMap<Long, Outgoing> rest = after.map(last -> items.rows().tailMap(Long.parseLong(last), false))
                .orElse(items.rows());
        List<Map.Entry<Long, Outgoing>> found =
                rest.entrySet().stream().limit(limit + 1L).toList();
        List<Map.Entry<Long, Outgoing>> part = found.subList(0, Math.min(limit, found.size()));
        String next =
                found.size() <= limit ? null : part.get(limit - 1).getKey().toString();
        return new Part(part.stream().map(Map.Entry::getValue).toList(), next);
    }

    Part part(UUID id) {
        return new Part(
                items.rows().values().stream()
                        .filter(item -> item.id().equals(id))
                        .toList(),
                null);
    }

    void remove(List<UUID> ids) {
        Set<UUID> gone = Set.copyOf(ids);
        List.copyOf(items.rows().entrySet()).stream()
                .filter(item -> gone.contains(item.getValue().id()))
                .forEach(item -> items.remove(item.getKey()));
    }
}
