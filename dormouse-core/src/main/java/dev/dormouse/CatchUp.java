package dev.dormouse;

import static dev.dormouse.Arguments.required;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.time.Duration;

/**
 * What becomes of instants that a schedule has missed by more than a minute, because nobody was there. What it misses while
 * it is paused is never made up for.
 *
 * @param window how old an instant may be; zero: none is made up for
 * @param all whether each of them is, or only the last
 */
public record CatchUp(Duration window, boolean all) {
    private static final Duration ANY = Duration.ofDays(36_500);

    public CatchUp {
        if (required(window, "a window").isNegative()) {
            throw new DormouseException(
                    ErrorCode.BAD_SCHEDULE,
                    "Expected a window of zero or more, but got " + window + ". Use CatchUp.none() for none.");
        }
        window = window.compareTo(ANY) < 0 ? window : ANY;
    }

    /** They are left out. */
    public static CatchUp none() {
        return new CatchUp(Duration.ZERO, false);
    }

    /** The default: one run for all of them, for the last. */
    public static CatchUp one() {
        return new CatchUp(ANY, false);
    }

    /** A run for each that is no older than this, 10,000 at the most. */
    public static CatchUp all(Duration window) {
        return new CatchUp(window, true);
    }
}
