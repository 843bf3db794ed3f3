package dev.dormouse.testing.sim;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/** What will happen when, in nanoseconds since the world began. Equal instants keep the order of their entry. */
final class Timeline {
    /** What happens together with everything else at its instant. */
    static final int IN_ORDER = 0;

    /** What happens when nothing is left to happen at its instant. */
    static final int AFTERWARDS = 1;

    /** What happens even after that. */
    static final int LAST = 2;

    private record Entry(long at, int rank, long number, BooleanSupplier isWanted, Runnable action) {}

    private final PriorityQueue<Entry> entries = new PriorityQueue<>(
            Comparator.comparingLong(Entry::at).thenComparingInt(Entry::rank).thenComparingLong(Entry::number));
    private long now;
    private long numbers;

    long now() {
        return now;
    }

    /** Plans an action; one that is not wanted any more does not make time pass. */
    void plan(long delay, BooleanSupplier isWanted, Runnable action) {
        plan(delay, IN_ORDER, isWanted, action);
    }

    void plan(long delay, int rank, BooleanSupplier isWanted, Runnable action) {
        long at = now + Math.max(0, delay);
        if (at >= now) { // otherwise it lies beyond the 292 years that a world can last
            entries.add(new Entry(at, rank, numbers++, isWanted, action));
        }
    }

    /** Whether nothing ever happens any more. */
    boolean isOver() {
        dropUnwanted();
        return entries.isEmpty();
    }

    /** Whether nothing more happens before time passes. */
    boolean isStill() {
        return isOver() || entries.element().at > now;
    }

    /** Returns how long it takes until something happens; {@link Long#MAX_VALUE} if nothing ever does. */
    long untilNext() {
        return isOver() ? Long.MAX_VALUE : entries.element().at - now;
    }

    /** Jumps to the next instant at which something happens and lets it happen; false if nothing ever will. */
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
