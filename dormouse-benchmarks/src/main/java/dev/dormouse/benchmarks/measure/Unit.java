package dev.dormouse.benchmarks.measure;

/** The unit of a figure, and which direction is better, if any. */
public enum Unit {
    PER_SECOND("per second", Better.MORE),
    MILLIS("ms", Better.LESS),
    /** For values too small to be compared. */
    MICROS("µs", Better.NEITHER),
    SECONDS("s", Better.LESS),
    BYTES("bytes", Better.LESS),
    MICROS_PER_OPERATION("µs per operation", Better.LESS),
    BYTES_PER_OPERATION("bytes per operation", Better.LESS),
    MEGABYTES("MB", Better.LESS),
    PER_MINUTE("per minute", Better.LESS),
    COUNT("count", Better.NEITHER);

    private final String text;
    private final Better better;

    Unit(String text, Better better) {
        this.text = text;
        this.better = better;
    }

    public String text() {
        return text;
    }

    /** Returns true for the resources that one operation uses. */
    public boolean isPerOperation() {
        return this == MICROS_PER_OPERATION || this == BYTES_PER_OPERATION;
    }

    /**
     * Returns true if a ratio of two such figures is meaningful: not for counts, nor if one of them is not positive.
     */
    public boolean compares(double one, double other) {
        return better != Better.NEITHER && one > 0 && other > 0;
    }

    /** Returns how many times better the first figure is than the second. */
    public double advantage(double first, double second) {
        return better == Better.MORE ? first / second : second / first;
    }

    private enum Better {
        MORE,
        LESS,
        NEITHER
    }
}
