package dev.dormouse.store;

/**
 * A run's place in a queue. It never changes.
 *
 * @param queue its name; empty for a run in no queue
 * @param priority from 0 to 9: higher ones go first
 * @param key rates that are kept for each key are kept for this one; an empty key is one like any other
 */
public record Queued(String queue, int priority, String key) {
    public static final int HIGHEST = 9;

    /** In no queue. */
    public static final Queued NOWHERE = new Queued("", 0, "");

    public Queued {
        if (priority < 0 || priority > HIGHEST) {
            throw new IllegalArgumentException(
                    "Expected a priority from 0 to " + HIGHEST + ", but got " + priority + ".");
        }
    }

    /** Whether the run is in a queue at all. */
    public boolean isSomewhere() {
        return !queue.isEmpty();
    }
}
