package dev.dormouse.benchmarks.measure;

/** What a figure counts, and which way is better, if that can be said. */
public enum Unit {
    PER_SECOND("per second", Better.MORE),
    MILLIS("ms", Better.LESS),
    /** For what is too small to be compared. */
    MICROS("µs", Better.NEITHER),
    SECONDS("s", Better.LESS),
    BYTES("bytes", Better.LESS),
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

    /** Whether a ratio of two such figures says something: not of counts, nor where one of them is not positive. */
    public boolean compares(double one, double other) {
        return better != Better.NEITHER && one > 0 && other > 0;
    }

    /** How many times better the first is than the second. */
    public double advantage(double first, double second) {
        return better == Better.MORE ? first / second : second / first;
    }

    private enum Better {
        MORE,
        LESS,
        NEITHER
    }
}
