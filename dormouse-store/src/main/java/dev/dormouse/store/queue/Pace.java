package dev.dormouse.store.queue;

import dev.dormouse.store.base.Micros;
import java.time.Instant;

/**
 * The use of a {@link QueueClaim.Rate}, by the generic cell rate algorithm. The only state is one instant,
 * {@link #usedUntil} (the theoretical arrival time): the end of all time slots that are used up, if each start takes
 * {@code period / number}, one after the other. Another run can begin as long as that instant is not farther ahead of
 * now than the burst allows.
 *
 * <p>For stores. Not thread-safe.
 */
public final class Pace {
    private static final int PARTS_OF_A_PERIOD = 50;

    /**
     * The tolerance for late starts: a start that is late by up to this part of an interval, and by at most
     * {@link #MOST_LATENESS} microseconds, does not delay the next.
     */
    private static final int PARTS_OF_LATENESS = 10;

    private static final long MOST_LATENESS = 20_000;

    private final long now;
    private final long interval;
    private final long ahead;
    private long until;

    /**
     * Creates the state of a rate at an instant.
     *
     * @param usedUntil the value of {@link #usedUntil} after the last use; {@link Instant#EPOCH} if there was none
     */
    public Pace(QueueClaim.Rate rate, Instant usedUntil, Instant now) {
        this.now = Micros.of(now);
        this.interval = Math.max(1, ceilDiv(Micros.of(rate.period()), rate.number()));
        this.ahead = saturated(interval, Math.max(1, rate.number() / PARTS_OF_A_PERIOD) - 1L);
        long used = Micros.of(usedUntil);
        boolean isJustLate = used >= this.now - Math.min(interval / PARTS_OF_LATENESS, MOST_LATENESS);
        this.until = isJustLate ? used : this.now;
    }

    /**
     * Returns the state of a rate, limited to one period ahead. A later {@code usedUntil} was written before the
     * store's clock was set back, or under a slower rate.
     */
    static Pace atMostAPeriodAhead(QueueClaim.Rate rate, Instant usedUntil, Instant now) {
        Pace pace = new Pace(rate, usedUntil, now);
        long farthest = plus(plus(plus(pace.now, Micros.of(rate.period())), pace.ahead), pace.interval);
        pace.until = Math.min(pace.until, farthest);
        return pace;
    }

    /** Returns how many runs can begin now. */
    public int room() {
        return hasRoom() ? (int) Math.min(Integer.MAX_VALUE, (plus(now, ahead) - until) / interval + 1) : 0;
    }

    /** Returns true if a run can begin now. */
    public boolean hasRoom() {
        return until - ahead <= now;
    }

    /** Uses one slot: a run begins at {@link #next}. */
    public void use() {
        until = plus(until, interval);
    }

    /** Returns when the next run can begin: now or later. */
    public Instant next() {
        return Micros.toInstant(Math.max(now, until - ahead));
    }

    /** Returns the instant to store for the next use. */
    public Instant usedUntil() {
        return Micros.toInstant(until);
    }

    private static long ceilDiv(long length, int parts) {
        return length / parts + (length % parts == 0 ? 0 : 1);
    }

    private static long plus(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }

    private static long saturated(long length, long times) {
        return times != 0 && length > Long.MAX_VALUE / times ? Long.MAX_VALUE : length * times;
    }
}
