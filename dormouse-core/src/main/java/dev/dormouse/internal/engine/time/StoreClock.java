package dev.dormouse.internal.engine.time;

import dev.dormouse.internal.thread.Threads;
import dev.dormouse.store.base.Micros;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the store's clock shows, as seen from here: not one instant but an interval that contains it. Every answer of
 * the store that carries its time was stamped between sending and receiving, and this node's monotonic clock measures
 * what passed since; the node's wall clock plays no part.
 *
 * <p>{@link #earliest} is for acting on alarms: the store's clock has certainly reached it, so the store will agree.
 * {@link #latest} is for stamping events: a delay that counts from there is never too short.
 *
 * <p>Thread-safe. Each end of the interval is kept from the answer that pinned it down best, and widens as clocks drift,
 * until a fresher answer is better. An answer that contradicts the interval means that the store's clock was set.
 */
public final class StoreClock {
    private static final Duration STEP = Duration.ofSeconds(1);

    private final Threads threads;
    private @Nullable Bound lower;
    private @Nullable Bound upper;

    public StoreClock(Threads threads) {
        this.threads = threads;
    }

    /** The store's clock showed {@code stamp} at {@code nanos}, or later for a lower bound, or earlier for an upper. */
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
     * Learns from an answer of the store that has just come in.
     *
     * @param sent {@link Threads#nanoTime()} before the question was sent
     * @return whether the store's clock turned out to have been set by more than a second
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

    /** The store's clock shows this or more. */
    public synchronized Instant earliest() {
        return lower == null ? Instant.EPOCH : lower.asLower(threads.nanoTime());
    }

    /** The store's clock shows this or less; in whole microseconds. */
    public synchronized Instant latest() {
        return upper == null ? Instant.EPOCH : Micros.roundUp(upper.asUpper(threads.nanoTime()));
    }

    /** How closely the store's clock is known. */
    public synchronized Duration width() {
        long now = threads.nanoTime();
        return lower == null || upper == null
                ? Duration.ofDays(1)
                : Duration.between(lower.asLower(now), upper.asUpper(now));
    }

    public boolean hasReached(Instant instant) {
        return !instant.isAfter(earliest());
    }

    /** How long to wait until {@link #hasReached}. */
    public Duration until(Instant instant) {
        Instant now = earliest();
        int margin = threads.accuracy() == Threads.EXACT ? 0 : 1_000; // for the drift until then
        return instant.isAfter(now) ? Duration.between(now, instant).plusNanos(margin) : Duration.ZERO;
    }
}
