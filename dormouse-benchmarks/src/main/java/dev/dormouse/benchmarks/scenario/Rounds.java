package dev.dormouse.benchmarks.scenario;

/** The number of rounds by {@link TurnLength}. */
public record Rounds(int brief, int lengthy) {
    public static final Rounds QUICK = new Rounds(3, 2);
    public static final Rounds FULL = new Rounds(5, 5);

    public Rounds {
        if (brief < 1 || lengthy < 1) {
            throw new IllegalArgumentException(
                    "Expected at least one round, but got " + Math.min(brief, lengthy) + ".");
        }
    }

    public int of(TurnLength length) {
        return switch (length) {
            case BRIEF -> brief;
            case LONG -> lengthy;
            case ONCE -> 1;
        };
    }
}
