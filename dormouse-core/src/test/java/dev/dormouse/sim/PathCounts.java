package dev.dormouse.sim;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Counts of the paths through the append protocol that simulated worlds have taken. A test that asserts them cannot pass
 * because its worlds are too harmless.
 */
final class PathCounts {
    /** A path through the append protocol. */
    enum Path {
        /** An append at the end of a history. */
        FIRST_APPEND,
        /** An append that was sent again although the store had applied it. */
        REPEATED_APPEND,
        /** An append at a position that has other events. */
        CONFLICTING_APPEND,
        /** An append of the previous owner, before the new owner has recorded the takeover. */
        APPEND_DURING_TAKEOVER,
        /** An append that a failover fences. */
        APPEND_OF_ANOTHER_EPOCH,
        /** A commit of an owner that changes the row. */
        FULL_COMMIT,
        FENCED_FULL_COMMIT,
        /** The commit that records a takeover. */
        TAKEOVER,
        FENCED_TAKEOVER,
        /** The commit of a caller that terminates a run. */
        TERMINATION,
        FENCED_TERMINATION,
        /** A run that leaves {@code RUNNING} with appended events that its row does not count. */
        INEXACT_ROW,
        CLOSED_NODE,
        COMPLETED_RUN,
        TERMINATED_RUN
    }

    private final Map<Path, Integer> counts = new EnumMap<>(Path.class);

    void add(Path path) {
        counts.merge(path, 1, Integer::sum);
    }

    int of(Path path) {
        return counts.getOrDefault(path, 0);
    }

    /** Returns the paths that were taken at least once. */
    Set<Path> taken() {
        Set<Path> taken = EnumSet.noneOf(Path.class);
        taken.addAll(counts.keySet());
        return taken;
    }
}
