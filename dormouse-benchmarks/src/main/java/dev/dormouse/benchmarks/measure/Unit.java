package dev.dormouse.benchmarks.measure;

/** What a figure counts, and which way is better. */
public enum Unit {
    PER_SECOND("per second", true),
    MILLIS("ms", false),
    SECONDS("s", false),
    COUNT("count", false),
    PER_MINUTE("per minute", false),
    BYTES("bytes", false),
    MEGABYTES("MB", false);

    private final String text;
    private final boolean moreIsBetter;

    Unit(String text, boolean moreIsBetter) {
        this.text = text;
        this.moreIsBetter = moreIsBetter;
    }

    public String text() {
        return text;
    }

    /** How many times better the first is than the second; 1 when they are the same. */
    public double advantage(double first, double second) {
        return moreIsBetter ? quotient(first, second) : quotient(second, first);
    }

    private static double quotient(double above, double below) {
        return above == below ? 1 : above / below;
    }
}
