package dev.dormouse.inspect;

/**
 * A number of things, exact or estimated.
 *
 * @param count the number
 * @param exact false if {@code count} is an estimate or a lower bound
 */
public record Count(long count, boolean exact) {
    /** Zero, exactly. */
    public static final Count NONE = exactly(0);

    /** Returns an exact count. */
    public static Count exactly(long count) {
        return new Count(count, true);
    }

    /** Returns a count that is an estimate or a lower bound. */
    public static Count about(long count) {
        return new Count(count, false);
    }

    /** Returns the sum of both, which is exact if both are. */
    public Count plus(Count other) {
        return new Count(count + other.count, exact && other.exact);
    }
}
