package dev.dormouse.store.run;

/**
 * The place of a run in a queue. It never changes.
 *
 * @param queue the name of the queue; empty for a run that is not in a queue
 * @param priority the priority from 0 to 9; higher priorities go first
 * @param key the key for per-key rate limits: runs with the same key share one limit. The empty key is a key like any
 *     other
 */
public record Queued(String queue, int priority, String key) {
    /** The highest priority. */
    public static final int HIGHEST = 9;

    /** The place of a run that is not in a queue. */
    public static final Queued NOWHERE = new Queued("", 0, "");

    public Queued {
        if (priority < 0 || priority > HIGHEST) {
            throw new IllegalArgumentException(
                    "Expected a priority from 0 to " + HIGHEST + ", but got " + priority + ".");
        }
    }

    /** Returns true if the run is in a queue. */
    public boolean isSomewhere() {
        return !queue.isEmpty();
    }
}
