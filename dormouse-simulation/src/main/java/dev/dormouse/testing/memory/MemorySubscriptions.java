package dev.dormouse.testing.memory;

import dev.dormouse.store.base.Micros;
import dev.dormouse.store.event.Subscription;
import dev.dormouse.store.page.TextOrder;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The subscriptions of one shard of a {@link MemoryStore}. Guarded by the store's lock. */
final class MemorySubscriptions {
    private static final int FORGOTTEN_FOR_EACH = 20;

    private static final Comparator<Subscription> BY_KEY = Comparator.comparing(Subscription::key, TextOrder.BY_UTF8)
            .thenComparing(Subscription::workflowId, TextOrder.BY_UTF8)
            .thenComparing(Subscription::id, TextOrder.BY_UTF8);

    private record Key(String workflowId, String id) {
        static Key of(Subscription subscription) {
            return new Key(subscription.workflowId(), subscription.id());
        }
    }

    private final UndoLog.Table<Key, Subscription> rows;

    MemorySubscriptions(UndoLog journal) {
        rows = journal.newTable(Comparator.comparing(Key::workflowId).thenComparing(Key::id));
    }

    /**
     * Stores new subscriptions that have not expired. Copies all of them first, so that nothing has changed if a copy
     * fails.
     */
    void keep(List<Subscription> batch, Instant now) {
        List<Subscription> copies =
                batch.stream().map(MemorySubscriptions::copy).toList();
        for (Subscription copy : copies) {
            Key key = Key.of(copy);
            if (rows.get(key) == null && !hasPassed(copy, now)) {
                rows.put(key, copy);
            }
        }
        erase(row -> hasPassed(row, now), (long) FORGOTTEN_FOR_EACH * batch.size());
    }

    private static Subscription copy(Subscription row) {
        Instant until = row.until() == null ? null : Micros.roundUp(row.until());
        return new Subscription(
                row.workflowId(), row.id(), row.event(), row.key(), row.match().clone(), until);
    }

    private static boolean hasPassed(Subscription row, Instant now) {
        return row.until() != null && !Micros.roundUp(row.until()).isAfter(now);
    }

    void takeBack(Subscription subscription) {
        rows.remove(Key.of(subscription));
    }

    void eraseAll(String workflowId) {
        erase(row -> row.workflowId().equals(workflowId), Long.MAX_VALUE);
    }

    private void erase(Predicate<Subscription> condition, long most) {
        List<Subscription> gone =
                rows.rows().values().stream().filter(condition).limit(most).toList();
        gone.forEach(this::takeBack);
    }

    List<Subscription> of(String event, Collection<String> keys, @Nullable Subscription after, int limit, Instant now) {
        return rows.rows().values().stream()
                .filter(row -> row.event().equals(event) && keys.contains(row.key()) && !hasPassed(row, now))
                .filter(row -> after == null || BY_KEY.compare(row, after) > 0)
                .sorted(BY_KEY)
                .limit(limit)
                .map(MemorySubscriptions::copy)
                .toList();
    }
}
