package dev.dormouse.store;

import java.time.Instant;

/**
 * What must hold of a run for a commit to be applied; otherwise the commit is refused as a whole.
 *
 * @param lease the run's lease id, compared for equality; {@link RunRow#NO_LEASE} for a run that nobody holds
 * @param nextSeq the run's {@code next_seq}
 * @param mail the run's mail counter, or {@link #ANY_MAIL} where new mail does not matter. Compared with the row alone:
 *     no fenced decision reads another table
 * @param notBefore the store's clock must have reached this instant; {@link Instant#EPOCH} where it does not matter
 */
public record Fence(long lease, int nextSeq, long mail, Instant notBefore) {
    public static final long ANY_MAIL = -1;

    public static Fence of(long lease, int nextSeq) {
        return new Fence(lease, nextSeq, ANY_MAIL, Instant.EPOCH);
    }

    public Fence withMail(long seen) {
        return new Fence(lease, nextSeq, seen, notBefore);
    }

    public Fence notBefore(Instant instant) {
        return new Fence(lease, nextSeq, mail, instant);
    }
}
