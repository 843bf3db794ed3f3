package dev.dormouse.testing.memory;

import dev.dormouse.store.base.Definition;
import dev.dormouse.store.page.TextOrder;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The definitions of one shard of a {@link MemoryStore}. Guarded by the store's lock. */
final class MemoryDefinitions {
    private static final Comparator<Definition> BY_TIME = Comparator.comparing(Definition::definedAt)
            .thenComparing(Definition::name, TextOrder.BY_UTF8)
            .thenComparing(Definition::version);

    private record Key(String name, int version) {}

    private final UndoLog.Table<Key, Definition> rows;

    MemoryDefinitions(UndoLog journal) {
        rows = journal.newTable(Comparator.comparing(Key::name).thenComparing(Key::version));
    }

    boolean define(String name, int version, byte[] body, Instant now) {
        Key key = new Key(name, version);
        boolean isNew = rows.get(key) == null;
        if (isNew) {
            rows.put(key, new Definition(name, version, body.clone(), now));
        }
        return isNew;
    }

    Optional<Definition> get(String name, int version) {
        return rows.rows().values().stream()
                .filter(row -> row.name().equals(name) && (version == 0 || row.version() == version))
                .max(Comparator.comparing(Definition::version))
                .map(MemoryDefinitions::copy);
    }

    List<Definition> since(Instant since, @Nullable Definition after, int limit) {
        return rows.rows().values().stream()
                .filter(row -> !row.definedAt().isBefore(since))
                .filter(row -> after == null || BY_TIME.compare(row, after) > 0)
                .sorted(BY_TIME)
                .limit(limit)
                .map(MemoryDefinitions::copy)
                .toList();
    }

    private static Definition copy(Definition row) {
        return new Definition(row.name(), row.version(), row.body().clone(), row.definedAt());
    }
}
