package dev.dormouse.store;

/**
 * A run's place in a queue.
 *
 * @param queue its name; empty for a run in no queue
 * @param priority from 0 to 9: higher ones go first
 * @param key rates that are kept for each key are kept for this one
 */
public record Queued(String queue, int priority, String key) {
    public static final int HIGHEST = 9;

    /** In no queue. */
    public static final Queued NOWHERE = new Queued("", 0, "");
}
