package dev.dormouse.testing.sim;

import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/** What will happen when, in nanoseconds since the world began. Equal instants keep the order of their entry. */
final class Timeline {
    private record Entry(long at, long number, BooleanSupplier isWanted, Runnable action) {}

    private final PriorityQueue<Entry> entries = new PriorityQueue<>((one, other) ->
            one.at != other.at ? Long.compare(one.at, other.at) : Long.compare(one.number, other.number));
    private long now;
    private long numbers;

    long now() {
        return now;
    }

    /** Plans an action; one that is not wanted any more does not make time pass. */
    void plan(long delay, BooleanSupplier isWanted, Runnable action) {
        entries.add(new Entry(now + Math.max(0, delay), numbers++, isWanted, action));
    }

    /** Jumps to the next instant at which something happens and lets it happen; false if nothing ever will. */
    boolean advance() {
        dropUnwanted();
        if (entries.isEmpty()) {
            return false;
        }
        now = entries.peek().at;
        while (!entries.isEmpty() && entries.peek().at == now) {
            Entry entry = entries.poll();
            if (entry.isWanted.getAsBoolean()) {
                entry.action.run();
            }
            dropUnwanted();
        }
        return true;
    }

    private void dropUnwanted() {
        while (!entries.isEmpty() && !entries.peek().isWanted.getAsBoolean()) {
            entries.poll();
        }
    }
}
