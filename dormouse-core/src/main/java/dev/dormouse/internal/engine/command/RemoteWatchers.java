package dev.dormouse.internal.engine.command;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;

/**
 * The runs that callers on other nodes wait for: the latest {@code CAPACITY} of them. Best effort: a caller of a
 * forgotten run polls the store. Thread-safe.
 */
public final class RemoteWatchers {
    private static final int CAPACITY = 10_000;

    private final Set<UUID> watched = new LinkedHashSet<>();

    public synchronized void add(UUID runId) {
        watched.add(runId);
        if (watched.size() > CAPACITY) {
            watched.remove(watched.iterator().next());
        }
    }

    public synchronized boolean contains(UUID runId) {
        return watched.contains(runId);
    }

    /** Removes a run. Returns true if a caller on another node waits for it and must be notified. */
    public synchronized boolean remove(UUID runId) {
        return watched.remove(runId);
    }
}
