package dev.dormouse.testing.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An undo log of the latest transactions of a {@link MemoryStore}, so that a failover can lose them. */
final class UndoLog {
    private static final int KEPT = 64;

    private final Deque<List<Runnable>> transactions = new ArrayDeque<>();

    /** Begins a new transaction, to which all later changes belong. */
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

    /** Undoes the latest transactions, newest first. Returns how many were undone. */
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

        /** Returns the rows, for reading only. */
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
