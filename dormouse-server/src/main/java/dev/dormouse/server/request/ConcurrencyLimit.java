package dev.dormouse.server.request;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A bounded number of places for requests that hold a thread: so many in all, and so many for one caller, so that one
 * caller cannot take all of them. Thread-safe.
 */
public final class ConcurrencyLimit {
    private final int most;
    private final int mostOfOne;
    private final Map<String, Integer> taken = new HashMap<>();
    private int all;

    /** A place that is taken until it is closed. */
    public interface Permit extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Creates places.
     *
     * @param most the number of places
     * @param mostOfOne the number of places that one caller may hold at a time
     */
    public ConcurrencyLimit(int most, int mostOfOne) {
        this.most = most;
        this.mostOfOne = mostOfOne;
    }

    /** Returns a place for {@code who}, or nothing if none is left for this caller. */
    public synchronized Optional<Permit> take(String who) {
        int own = taken.getOrDefault(who, 0);
        if (all >= most || own >= mostOfOne) {
            return Optional.empty();
        }
        all++;
        taken.put(who, own + 1);
        return Optional.of(() -> free(who));
    }

    private synchronized void free(String who) {
        all--;
        taken.computeIfPresent(who, (name, number) -> number == 1 ? null : number - 1);
    }

    /** Returns the number of places that one caller may hold at a time. */
    public int mostOfOne() {
        return mostOfOne;
    }
}
