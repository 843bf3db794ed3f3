package dev.dormouse.store.run;

import dev.dormouse.store.base.Micros;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The condition under which a commit is applied. If any part does not hold, the store refuses the commit as a whole.
 *
 * @param lease the run's lease id, compared for equality. The end of the lease does not matter: until another node claims
 *     the run, its holder may still commit and renew; {@link RunRow#NO_LEASE} for a run without a lease
 * @param nextSeq the end of the run's history as the sender knows it, where the events of the commit are stored. The
 *     position must be free, and the run's {@code known_seq} must not be greater
 * @param mail the run's mail counter, or {@link #ANY_MAIL} if new mail does not matter. It is compared with the row
 *     alone: no fenced decision reads another table
 * @param notBefore the instant that the store's clock must have reached; {@link Instant#EPOCH} if it does not matter
 * @param epoch the store's {@link Swept#epoch} when the run was read; {@link #ANY_EPOCH} if it does not matter. State
 *     that was read before a failover may come from commits that no longer exist, even if row and counters look the
 *     same
 * @param alarm the run's alarm in {@link Micros}, {@link #NO_ALARM} if it has none, {@link #ANY_ALARM} if it does not
 *     matter. It matters to a caller that changes a run without a lease that must not have begun. A node may have
 *     claimed that run, executed a part of it and released it, and neither lease nor {@code known_seq} would show that
 */
public record Fence(long lease, int nextSeq, long mail, Instant notBefore, String epoch, long alarm) {
    /** The value of {@link #mail} if new mail does not matter. */
    public static final long ANY_MAIL = -1;
    /** The value of {@link #epoch} if the epoch does not matter. */
    public static final String ANY_EPOCH = "";
    /** The value of {@link #alarm} if the alarm does not matter. */
    public static final long ANY_ALARM = -1;
    /** The value of {@link #alarm} for a run that must have no alarm. */
    public static final long NO_ALARM = 0;

    /** Returns a fence of lease and {@code nextSeq}, to which mail, time, epoch and alarm do not matter. */
    public static Fence of(long lease, int nextSeq) {
        return new Fence(lease, nextSeq, ANY_MAIL, Instant.EPOCH, ANY_EPOCH, ANY_ALARM);
    }

    /** Returns this fence for a commit whose events are stored at position {@code end}. */
    public Fence at(int end) {
        return new Fence(lease, end, mail, notBefore, epoch, alarm);
    }

    /** Returns this fence with the condition that the run's mail counter is {@code seen}. */
    public Fence withMail(long seen) {
        return new Fence(lease, nextSeq, seen, notBefore, epoch, alarm);
    }

    /** Returns this fence without a condition on mail. */
    public Fence withAnyMail() {
        return withMail(ANY_MAIL);
    }

    /** Returns this fence with the condition that the store's clock has reached {@code instant}. */
    public Fence notBefore(Instant instant) {
        return new Fence(lease, nextSeq, mail, instant, epoch, alarm);
    }

    /** Returns this fence with the condition that the store's epoch is {@code name}. */
    public Fence inEpoch(String name) {
        return new Fence(lease, nextSeq, mail, notBefore, name, alarm);
    }

    /**
     * Returns this fence with the condition that the run's alarm is {@code wakeAt}, or that it has none if
     * {@code wakeAt} is null.
     */
    public Fence withAlarm(@Nullable Instant wakeAt) {
        return new Fence(lease, nextSeq, mail, notBefore, epoch, micros(wakeAt));
    }

    private static long micros(@Nullable Instant wakeAt) {
        return wakeAt == null ? NO_ALARM : Micros.of(wakeAt);
    }

    /**
     * Returns true if a run with this alarm meets the fence's condition on the alarm.
     *
     * @param wakeAt the run's alarm; null if it has none
     */
    public boolean fitsAlarm(@Nullable Instant wakeAt) {
        return alarm == ANY_ALARM || alarm == micros(wakeAt);
    }

    /** Returns true if {@code current} is the epoch in which the run was read, or the fence accepts any epoch. */
    public boolean fitsEpoch(String current) {
        return epoch.equals(ANY_EPOCH) || epoch.equals(current);
    }
}
