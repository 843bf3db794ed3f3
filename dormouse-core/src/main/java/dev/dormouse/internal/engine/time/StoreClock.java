package dev.dormouse.internal.engine.time;

import dev.dormouse.internal.thread.Threads;
import dev.dormouse.store.base.Micros;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The store's clock as this node knows it: not an instant but an interval that contains it. Each answer of the store
 * that carries its time was stamped between sending and receiving. This node's monotonic clock measures the time since
 * then; its wall clock is not used.
 *
 * <p>{@link #earliest} is for acting on alarms: the store's clock has certainly reached it, so the store agrees that
 * they have passed. {@link #latest} is for stamping events: a delay that is counted from there is never too short.
 *
 * <p>Thread-safe; every method is atomic, except {@link #hasReached} and {@link #until}, which read {@link #earliest}
 * once. Each end of the interval comes from the answer that determined it best, and moves outwards by the drift of
 * clocks, until a newer answer is better. An answer that contradicts the interval means that the store's clock was set.
 */
public final class StoreClock {
    private static final Duration STEP = Duration.ofSeconds(1);

    private final Threads threads;
    private @Nullable Bound lower;
    private @Nullable Bound upper;

    public StoreClock(Threads threads) {
        this.threads = threads;
    }

    /**
     * A bound of the store's clock. At {@code nanos} the clock showed {@code stamp} or later for a lower bound, and
     * {@code stamp} or earlier for an upper bound.
     */
    private record Bound(Instant stamp, long nanos, long accuracy) {
        Instant asLower(long now) {
            return stamp.plusNanos(now - nanos - drift(now));
        }

        Instant asUpper(long now) {
            return stamp.plusNanos(now - nanos + drift(now));
        }

        private long drift(long now) {
            return (now - nanos) / accuracy;
        }
    }

    private Bound bound(Instant stamp, long nanos) {
        return new Bound(stamp, nanos, threads.accuracy());
    }

    /**
     * Narrows the interval by an answer of the store that has just arrived.
     *
     * @param stamp the store's time in that answer
     * @param sent {@link Threads#nanoTime()} before the call was sent
     * @return true if the store's clock was set by more than a second
     */
    public synchronized boolean observe(Instant stamp, long sent) {
        long now = threads.nanoTime();
        Instant latest = stamp.plusNanos(now - sent);
        if (lower == null || upper == null) {
            pin(stamp, sent, now);
            return false;
        }
        Duration contradiction = contradiction(lower.asLower(now), upper.asUpper(now), stamp, latest);
        if (!contradiction.isZero()) {
            pin(stamp, sent, now);
            return contradiction.compareTo(STEP) > 0;
        }
        if (stamp.isAfter(lower.asLower(now))) {
            lower = bound(stamp, now);
        }
        if (latest.isBefore(upper.asUpper(now))) {
            upper = bound(stamp, sent);
        }
        return false;
    }

    private void pin(Instant stamp, long sent, long received) {
        lower = bound(stamp, received);
        upper = bound(stamp, sent);
    }

    private static Duration contradiction(Instant lower, Instant upper, Instant earliest, Instant latest) {
        if (earliest.isAfter(upper)) {
            return Duration.between(upper, earliest);
        } else if (latest.isBefore(lower)) {
            return Duration.between(latest, lower);
        }
        return Duration.ZERO;
    }

    /** Returns an instant that the store's clock has reached; {@link Instant#EPOCH} before the first answer. */
    public synchronized Instant earliest() {
        return lower == null ? Instant.EPOCH : lower.asLower(threads.nanoTime());
    }

    /** Returns an instant that the store's clock has not passed, rounded up to microseconds. */
    public synchronized Instant latest() {
        return upper == null ? Instant.EPOCH : Micros.roundUp(upper.asUpper(threads.nanoTime()));
    }

    /** Returns the width of the interval; one day before the first answer. */
    public synchronized Duration width() {
        long now = threads.nanoTime();
        return lower == null || upper == null
                ? Duration.ofDays(1)
                : Duration.between(lower.asLower(now), upper.asUpper(now));
    }

    /** Returns true if the store's clock has certainly reached {@code instant}. */
    public boolean hasReached(Instant instant) {
        return !instant.isAfter(earliest());
    }

    /** Returns the time to wait until {@link #hasReached} returns true. */
    public Duration until(Instant instant) {
        Instant now = earliest();
        int margin = threads.accuracy() == Threads.EXACT ? 0 : 1_000; // for the drift during the wait
        return instant.isAfter(now) ? Duration.between(now, instant).plusNanos(margin) : Duration.ZERO;
    }
}
