package dev.dormouse.testing.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Remembers how to undo the latest transactions of a {@link MemoryStore}, so that a failover can lose them. */
final class Journal {
    private static final int KEPT = 64;

    private final Deque<List<Runnable>> transactions = new ArrayDeque<>();

    /** All changes from here on belong to a new transaction. */
    void begin() {
        if (transactions.isEmpty() || !transactions.getLast().isEmpty()) {
            transactions.addLast(new ArrayList<>());
        }
        if (transactions.size() > KEPT) {
            transactions.removeFirst();
        }
    }

    private void undoBy(Runnable undo) {
        transactions.getLast().add(undo);
    }

    /** Takes back the latest transactions, newest first; tells how many there were to take back. */
    int undo(int count) {
        int undone = 0;
        while (undone < count && !transactions.isEmpty()) {
            List<Runnable> changes = transactions.removeLast();
            for (int i = changes.size() - 1; i >= 0; i--) {
                changes.get(i).run();
            }
            undone += changes.isEmpty() ? 0 : 1;
        }
        return undone;
    }

    <K, V> Table<K, V> newTable(Comparator<K> order) {
        return new Table<>(order);
    }

    /** A sorted map whose changes can be undone. */
    final class Table<K, V> {
        private final NavigableMap<K, V> rows;

        private Table(Comparator<K> order) {
            this.rows = new TreeMap<>(order);
        }

        @Nullable
        V get(K key) {
            return rows.get(key);
        }

        /** To be read only. */
        NavigableMap<K, V> rows() {
            return rows;
        }

        void put(K key, V row) {
            restoreOnUndo(key, rows.put(key, row));
        }

        void remove(K key) {
            restoreOnUndo(key, rows.remove(key));
        }

        private void restoreOnUndo(K key, @Nullable V before) {
            if (before == null) {
                undoBy(() -> rows.remove(key));
            } else {
                undoBy(() -> rows.put(key, before));
            }
        }
    }
}
