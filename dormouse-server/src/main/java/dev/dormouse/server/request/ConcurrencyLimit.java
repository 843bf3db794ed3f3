package dev.dormouse.server.request;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A limit on the number of requests that hold a thread at a time, in total and for each caller, so that one caller
 * cannot take all permits.
 *
 * <p>Thread-safe. Neither taking nor returning a permit blocks. A permit must be closed exactly once.
 */
public final class ConcurrencyLimit {
    private final int max;
    private final int maxPerCaller;
    private final Map<String, Integer> taken = new HashMap<>();
    private int all;

    /** A permit that is held until it is closed. */
    public interface Permit extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Creates a limit.
     *
     * @param max the number of permits
     * @param maxPerCaller the number of permits that one caller may hold at a time
     */
    public ConcurrencyLimit(int max, int maxPerCaller) {
        this.max = max;
        this.maxPerCaller = maxPerCaller;
    }

    /** Returns a permit for {@code caller}, or empty if none is left for it. */
    public synchronized Optional<Permit> acquire(String caller) {
        int own = taken.getOrDefault(caller, 0);
        if (all >= max || own >= maxPerCaller) {
            return Optional.empty();
        }
        all++;
        taken.put(caller, own + 1);
        return Optional.of(() -> release(caller));
    }

    private synchronized void release(String caller) {
        all--;
        taken.computeIfPresent(caller, (name, count) -> count == 1 ? null : count - 1);
    }

    /** Returns the number of permits that one caller may hold at a time. */
    public int maxPerCaller() {
        return maxPerCaller;
    }
}
