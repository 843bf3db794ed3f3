package dev.dormouse.testing.sim;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/**
 * The planned actions, by nanoseconds since the world began. Actions at the same instant keep the order of their entry.
 */
final class SimTimeline {
    /** Rank of actions that happen in their order at an instant. */
    static final int IN_ORDER = 0;

    /** Rank of actions that happen when no other is left at their instant. */
    static final int AFTERWARDS = 1;

    /** Rank of actions that happen after all others. */
    static final int LAST = 2;

    private record Entry(long at, int rank, long number, BooleanSupplier isWanted, Runnable action) {}

    private final PriorityQueue<Entry> entries = new PriorityQueue<>(
            Comparator.comparingLong(Entry::at).thenComparingInt(Entry::rank).thenComparingLong(Entry::number));
    private volatile long now; // threads outside of the world read it
    private long numbers;

    long now() {
        return now;
    }

    /** Plans an action. An action that is not wanted any more does not make time pass. */
    void plan(long delay, BooleanSupplier isWanted, Runnable action) {
        plan(delay, IN_ORDER, isWanted, action);
    }

    void plan(long delay, int rank, BooleanSupplier isWanted, Runnable action) {
        long at = now + Math.max(0, delay);
        if (at >= now) { // otherwise it lies beyond the 292 years that a world can last
            entries.add(new Entry(at, rank, numbers++, isWanted, action));
        }
    }

    /** Returns true if no action is planned. */
    boolean isOver() {
        dropUnwanted();
        return entries.isEmpty();
    }

    /** Returns true if no action is due before time passes. */
    boolean isStill() {
        return isOver() || entries.element().at > now;
    }

    /** Returns the nanoseconds until the next planned action; Long.MAX_VALUE if none is planned. */
    long idleNanos() {
        return isOver() ? Long.MAX_VALUE : entries.element().at - now;
    }

    /** Jumps to the next planned instant and runs its actions. Returns false if none is planned. */
    boolean advance() {
        if (isOver()) {
            return false;
        }
        now = entries.element().at;
        if (entries.element().rank == IN_ORDER) {
            while (!isOver() && entries.element().at == now && entries.element().rank == IN_ORDER) {
                entries.remove().action.run();
            }
        } else {
            entries.remove().action.run();
        }
        return true;
    }

    private void dropUnwanted() {
        while (!entries.isEmpty() && !entries.peek().isWanted.getAsBoolean()) {
            entries.poll();
        }
    }
}
