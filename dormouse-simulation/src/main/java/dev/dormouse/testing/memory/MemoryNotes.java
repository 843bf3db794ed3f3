package dev.dormouse.testing.memory;

import dev.dormouse.store.event.Note;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/** The notes of one shard of a {@link MemoryStore}. Guarded by the store's lock. */
final class MemoryNotes {
    private record Key(UUID runId, int call) {
        static Key of(Note note) {
            return new Key(note.runId(), note.call());
        }
    }

    private final UndoLog.Table<Key, Note> rows;

    MemoryNotes(UndoLog journal) {
        rows = journal.newTable(
                Comparator.comparing(Key::runId, MemoryTables.BY_TIME).thenComparing(Key::call));
    }

    void keep(Note note) {
        Note known = rows.get(Key.of(note));
        if (known == null || known.attempt() <= note.attempt()) {
            rows.put(Key.of(note), copy(note));
        }
    }

    private static Note copy(Note note) {
        return new Note(
                note.runId(),
                note.lease(),
                note.call(),
                note.attempt(),
                note.payload().clone());
    }

    List<Note> of(UUID runId) {
        return rows
                .rows()
                .subMap(new Key(runId, Integer.MIN_VALUE), true, new Key(runId, Integer.MAX_VALUE), true)
                .values()
                .stream()
                .map(MemoryNotes::copy)
                .toList();
    }

    void erase(Note note) {
        Note known = rows.get(Key.of(note));
        if (known != null && known.attempt() <= note.attempt()) {
            rows.remove(Key.of(note));
        }
    }

    void eraseAll(UUID runId) {
        of(runId).forEach(note -> rows.remove(Key.of(note)));
    }
}
