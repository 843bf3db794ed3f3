package dev.dormouse.schedule;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.time.Duration;

/**
 * The treatment of scheduled instants that a schedule missed by more than a minute, because no node was running.
 * Instants that it misses while it is paused are never made up for. Immutable. Default: {@link #one()}.
 *
 * @param window the maximum age of a missed instant; zero to skip all missed instants
 * @param all true to start a run for each missed instant, false only for the last
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

    /** Returns a policy that skips all missed instants. */
    public static CatchUp none() {
        return new CatchUp(Duration.ZERO, false);
    }

    /** Returns the default policy: one run for all missed instants together, for the last of them. */
    public static CatchUp one() {
        return new CatchUp(ANY, false);
    }

    /**
     * Returns a policy that starts a run for each missed instant that is not older than {@code window}, up to 10,000
     * instants.
     *
     * @throws DormouseException BAD_SCHEDULE if {@code window} is negative; BAD_ARGUMENT if it is null
     */
    public static CatchUp all(Duration window) {
        return new CatchUp(window, true);
    }
}
