package dev.dormouse.store;

/**
 * A number of things.
 *
 * @param exact false for an estimate, or where there are at least so many
 */
public record Count(long count, boolean exact) {
    public static final Count NONE = exactly(0);

    public static Count exactly(long count) {
        return new Count(count, true);
    }

    /** An estimate, or "at least". */
    public static Count about(long count) {
        return new Count(count, false);
    }

    public Count plus(Count other) {
        return new Count(count + other.count, exact && other.exact);
    }
}
