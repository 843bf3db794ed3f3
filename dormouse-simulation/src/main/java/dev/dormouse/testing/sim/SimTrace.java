package dev.dormouse.testing.sim;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.stream.Collectors;

/** The order of events: a hash of all of them, and the latest ones as text. */
final class SimTrace {
    private static final int KEPT = 400;

    private record Entry(long at, Object who, String what) {
        @Override
        public String toString() {
            return "  %12s %-28s %s".formatted(Duration.ofNanos(at), who, what);
        }
    }

    private final ArrayDeque<Entry> latest = new ArrayDeque<>();
    private long hash = 1;

    void chosen(long at, int thread) {
        mix(at);
        mix(thread);
    }

    void note(long at, Object who, String what) {
        mix(at);
        mix(what.hashCode());
        if (latest.size() == KEPT) {
            latest.removeFirst();
        }
        latest.addLast(new Entry(at, who, what));
    }

    private void mix(long value) {
        hash = (hash ^ value) * 0x9E3779B97F4A7C15L;
        hash ^= hash >>> 29;
    }

    long hash() {
        return hash;
    }

    @Override
    public String toString() {
        return latest.stream().map(Entry::toString).collect(Collectors.joining("\n"));
    }
}
