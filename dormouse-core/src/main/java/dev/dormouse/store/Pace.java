package dev.dormouse.store;

import java.time.Instant;

/**
 * How far a {@link QueueClaim.Rate} is used up. All that must be remembered is one instant: until when everything that
 * has begun takes up the rate, if each takes {@code period / number} of time, one after the other. (Elsewhere it is called
 * the generic cell rate algorithm, and the instant the theoretical arrival time.) Another may begin as long as that is no
 * farther ahead of now than the few that may begin at once.
 *
 * <p>For stores; not safe for use by several threads.
 */
public final class Pace {
    private static final int PARTS_OF_A_PERIOD = 50;

    /** What begins late by up to this part of an interval, and by no more than so long, does not hold up the next. */
    private static final int PARTS_OF_LATENESS = 10;

    private static final long MOST_LATENESS = 20_000;

    private final long now;
    private final long interval;
    private final long ahead;
    private long until;

    /**
     * @param usedUntil what {@link #usedUntil} was after the last use; {@link Instant#EPOCH} when there was none
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
     * The same, but never more than a period ahead. What lies farther ahead was written before the store's clock was set
     * back, or under a slower rate.
     */
    static Pace atMostAPeriodAhead(QueueClaim.Rate rate, Instant usedUntil, Instant now) {
        Pace pace = new Pace(rate, usedUntil, now);
        long farthest = plus(plus(plus(pace.now, Micros.of(rate.period())), pace.ahead), pace.interval);
        pace.until = Math.min(pace.until, farthest);
        return pace;
    }

    /** How many may begin now. */
    public int room() {
        return hasRoom() ? (int) Math.min(Integer.MAX_VALUE, (plus(now, ahead) - until) / interval + 1) : 0;
    }

    public boolean hasRoom() {
        return until - ahead <= now;
    }

    /** One begins, at {@link #next}. */
    public void use() {
        until = plus(until, interval);
    }

    /** When the next may begin: now, or later. */
    public Instant next() {
        return Micros.toInstant(Math.max(now, until - ahead));
    }

    /** What must be remembered. */
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
