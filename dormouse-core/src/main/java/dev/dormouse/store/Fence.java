package dev.dormouse.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What must hold of a run for a commit to be applied; otherwise the commit is refused as a whole.
 *
 * @param lease the run's lease id, compared for equality; {@link RunRow#NO_LEASE} for a run that nobody holds
 * @param nextSeq the run's {@code next_seq}
 * @param mail the run's mail counter, or {@link #ANY_MAIL} where new mail does not matter. Compared with the row alone:
 *     no fenced decision reads another table
 * @param notBefore the store's clock must have reached this instant; {@link Instant#EPOCH} where it does not matter
 * @param epoch the store's {@link Swept#epoch} when the run was read: what was read before a failover may be of commits
 *     that no longer exist, while row and counters look the same. {@link #ANY_EPOCH} where it does not matter
 * @param alarm the run's alarm in {@link Micros}, {@link #NO_ALARM} where it has none, {@link #ANY_ALARM} where it does not
 *     matter. It matters to a caller that changes a run without a lease, which must not have begun: a node may have claimed it,
 *     executed a part of it and given it back, and neither lease nor {@code next_seq} would tell
 */
public record Fence(long lease, int nextSeq, long mail, Instant notBefore, String epoch, long alarm) {
    public static final long ANY_MAIL = -1;
    public static final String ANY_EPOCH = "";
    public static final long ANY_ALARM = -1;
    public static final long NO_ALARM = 0;

    public static Fence of(long lease, int nextSeq) {
        return new Fence(lease, nextSeq, ANY_MAIL, Instant.EPOCH, ANY_EPOCH, ANY_ALARM);
    }

    public Fence withMail(long seen) {
        return new Fence(lease, nextSeq, seen, notBefore, epoch, alarm);
    }

    public Fence withAnyMail() {
        return withMail(ANY_MAIL);
    }

    public Fence notBefore(Instant instant) {
        return new Fence(lease, nextSeq, mail, instant, epoch, alarm);
    }

    public Fence inEpoch(String name) {
        return new Fence(lease, nextSeq, mail, notBefore, name, alarm);
    }

    /** Returns this fence for a run whose alarm is still this one. */
    public Fence withAlarm(@Nullable Instant wakeAt) {
        return new Fence(lease, nextSeq, mail, notBefore, epoch, micros(wakeAt));
    }

    private static long micros(@Nullable Instant wakeAt) {
        return wakeAt == null ? NO_ALARM : Micros.of(wakeAt);
    }

    public boolean fitsAlarm(@Nullable Instant wakeAt) {
        return alarm == ANY_ALARM || alarm == micros(wakeAt);
    }

    /** Whether the store is still the one that the run was read from. */
    public boolean fitsEpoch(String current) {
        return epoch.equals(ANY_EPOCH) || epoch.equals(current);
    }
}
