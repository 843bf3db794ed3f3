package dev.dormouse.testing;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.base.Micros;
import dev.dormouse.testing.sim.SimWorld;
import java.time.Duration;
import java.time.Instant;

/**
 * Options of a {@link TestDormouse}. Immutable; start from {@link #DEFAULT}.
 *
 * @param beginning the simulated time at which the test begins. Default: 2030-01-01T00:00:00Z
 * @param patience the maximum real time that one call of the test may wait. Default: 30 s
 * @param seed determines the order of threads that could run at the same time. Default: 1
 */
public record TestOptions(Instant beginning, Duration patience, long seed) {
    private static final Instant EARLIEST = Instant.parse("1970-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");
    private static final Duration MOST_PATIENCE = Duration.ofDays(365);

    public static final TestOptions DEFAULT = new TestOptions(SimWorld.BEGINNING, Duration.ofSeconds(30), 1);

    public TestOptions {
        if (beginning.isBefore(EARLIEST) || beginning.isAfter(LATEST)) {
            throw bad("the beginning", "an instant from " + EARLIEST + " to " + LATEST, beginning);
        }
        if (patience.compareTo(Duration.ofMillis(1)) < 0 || patience.compareTo(MOST_PATIENCE) > 0) {
            throw bad("the patience", "1 ms to " + MOST_PATIENCE.toDays() + " days", patience);
        }
        beginning = Micros.roundUp(beginning);
    }

    private static DormouseException bad(String what, String expected, Object found) {
        return new DormouseException(
                ErrorCode.BAD_ARGUMENT,
                "Expected " + what + " of a test to be " + expected + ", but got " + found + ". Change TestOptions.");
    }

    public TestOptions beginning(Instant value) {
        return new TestOptions(value, patience, seed);
    }

    public TestOptions patience(Duration value) {
        return new TestOptions(beginning, value, seed);
    }

    public TestOptions seed(long value) {
        return new TestOptions(beginning, patience, value);
    }
}
