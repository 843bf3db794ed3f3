package dev.dormouse.inspect;

/**
 * A number of things, exact or estimated.
 *
 * @param exact false if {@code count} is an estimate or a lower bound
 */
public record Count(long count, boolean exact) {
    public static final Count NONE = exactly(0);

    public static Count exactly(long count) {
        return new Count(count, true);
    }

    /** Returns a count that is an estimate or a lower bound. */
    public static Count about(long count) {
        return new Count(count, false);
    }

    public Count plus(Count other) {
        return new Count(count + other.count, exact && other.exact);
    }
}
