package dev.dormouse.testing;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.base.Micros;
import dev.dormouse.testing.sim.SimWorld;
import java.time.Duration;
import java.time.Instant;

/** Options of a {@link TestDormouse}. Immutable; start with {@link #DEFAULT}. */
public final class TestOptions {
    private static final Instant EARLIEST = Instant.parse("1970-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");
    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(365);

    /** Options of a test that starts at 2030-01-01T00:00:00Z, with a timeout of 30 s, seed 1 and no retry jitter. */
    public static final TestOptions DEFAULT =
            new TestOptions(SimWorld.BEGINNING, Duration.ofSeconds(30), 1, false, false);

    private final Instant startTime;
    private final Duration timeout;
    private final long seed;
    private final boolean blockingActivities;
    private final boolean retryJitter;

    private TestOptions(
            Instant startTime, Duration timeout, long seed, boolean blockingActivities, boolean retryJitter) {
        this.startTime = startTime;
        this.timeout = timeout;
        this.seed = seed;
        this.blockingActivities = blockingActivities;
        this.retryJitter = retryJitter;
    }

    /**
     * Returns a copy with another simulated time at which the test starts. Default: 2030-01-01T00:00:00Z.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code instant} is before 1970 or after 9998
     */
    public TestOptions withStartTime(Instant instant) {
        if (instant.isBefore(EARLIEST) || instant.isAfter(LATEST)) {
            throw bad("the start time", "an instant from " + EARLIEST + " to " + LATEST, instant);
        }
        return new TestOptions(Micros.roundUp(instant), timeout, seed, blockingActivities, retryJitter);
    }

    /**
     * Returns a copy with another limit for the real time that one call of the test may wait. Default: 30 s.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code limit} is shorter than 1 ms or longer than 365 days
     */
    public TestOptions withTimeout(Duration limit) {
        if (limit.compareTo(Duration.ofMillis(1)) < 0 || limit.compareTo(LONGEST_TIMEOUT) > 0) {
            throw bad("the timeout", "1 ms to " + LONGEST_TIMEOUT.toDays() + " days", limit);
        }
        return new TestOptions(startTime, limit, seed, blockingActivities, retryJitter);
    }

    /**
     * Returns a copy with another seed, which determines the order of threads that could run at the same time. Default:
     * 1.
     */
    public TestOptions withSeed(long value) {
        return new TestOptions(startTime, timeout, value, blockingActivities, retryJitter);
    }

    /**
     * Returns a copy with which activities and steps may block for real: on a latch, a queue, a future or a socket.
     * Default: they may not. They run at the same time as the test, the workflows and each other, so their code must be
     * thread-safe. Time stands still while one of them runs; see {@link TestDormouse#advanceWhileBlocked}. Steps in
     * transactions are excluded.
     */
    public TestOptions withBlockingActivities() {
        return new TestOptions(startTime, timeout, seed, true, retryJitter);
    }

    /**
     * Returns a copy with or without the jitter of retry policies. Without it, a retry begins exactly after the delay
     * that its policy names, so that tests can predict it. With it, delays are random and depend on the seed. Default:
     * without.
     */
    public TestOptions withRetryJitter(boolean value) {
        return new TestOptions(startTime, timeout, seed, blockingActivities, value);
    }

    private static DormouseException bad(String what, String expected, Object found) {
        return new DormouseException(
                ErrorCode.BAD_ARGUMENT,
                "Expected " + what + " of a test to be " + expected + ", but got " + found + ". Change TestOptions.");
    }

    /** Returns the simulated time at which the test starts. Default: 2030-01-01T00:00:00Z. */
    public Instant startTime() {
        return startTime;
    }

    /** Returns the maximum real time that one call of the test may wait. Default: 30 s. */
    public Duration timeout() {
        return timeout;
    }

    /** Returns the seed, which determines the order of threads that could run at the same time. Default: 1. */
    public long seed() {
        return seed;
    }

    /** Returns true if activities and steps may block for real. Default: false. */
    public boolean areActivitiesBlocking() {
        return blockingActivities;
    }

    /** Returns true if the delays of retries have jitter. Default: false. */
    public boolean retryJitter() {
        return retryJitter;
    }
}
