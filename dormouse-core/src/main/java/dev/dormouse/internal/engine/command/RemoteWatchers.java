package dev.dormouse.internal.engine.command;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;

/** Which runs somebody elsewhere waits for; the latest of them, as many as fit. Thread-safe. */
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

    /** Whether somebody waits for it, who is told now. */
    public synchronized boolean remove(UUID runId) {
        return watched.remove(runId);
    }
}
