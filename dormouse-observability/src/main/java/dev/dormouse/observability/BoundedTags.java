package dev.dormouse.observability;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tag values with a bounded number of distinct values. Names of steps are free texts that may contain an id, and
 * workflow types can be named by the code that starts a run; each new value would be a time series that a registry
 * keeps forever. Values beyond the bound are replaced with {@code other}.
 *
 * <p>Thread-safe. The bounds are never exceeded. Which values are kept depends on which came first.
 */
final class BoundedTags {
    /** The maximum number of distinct workflow types that are kept. */
    static final int MOST_TYPES = 500;

    /** The maximum number of distinct step names that are kept for each workflow type. */
    static final int MOST_STEPS = 50;

    private static final String OTHER = "other";

    private final Map<String, Set<String>> steps = new ConcurrentHashMap<>();

    /** Returns the type itself, or {@code other} if there are too many. */
    String type(String type) {
        return steps.containsKey(type) || isKept(type) ? type : OTHER;
    }

    private synchronized boolean isKept(String type) {
        if (steps.size() >= MOST_TYPES) {
            return steps.containsKey(type);
        }
        steps.putIfAbsent(type, ConcurrentHashMap.newKeySet());
        return true;
    }

    /** Returns the step itself, or {@code other} if its type has too many. */
    String step(String type, String step) {
        Set<String> known = steps.get(type(type));
        return known != null && (known.contains(step) || isKept(known, step)) ? step : OTHER;
    }

    private synchronized boolean isKept(Set<String> known, String step) {
        if (known.size() >= MOST_STEPS) {
            return known.contains(step);
        }
        known.add(step);
        return true;
    }
}
