package dev.dormouse.store.page;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The histogram buckets for lateness. Each bucket is about twice as wide as the one before. */
public final class Lateness {
    private static final long[] BELOW_MILLIS = {
        1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 60_000, 600_000
    };

    /** The number of buckets. The last bucket has no upper bound. */
    public static final int BUCKETS = BELOW_MILLIS.length + 1;

    /** An empty histogram. */
    public static final List<Long> NONE = Collections.nCopies(BUCKETS, 0L);

    private Lateness() {}

    /** Returns the bucket of a lateness. An early firing counts as punctual. */
    public static int bucket(Duration late) {
        long millis = late.toMillis();
        int bucket = 0;
        while (bucket < BELOW_MILLIS.length && millis >= BELOW_MILLIS[bucket]) {
            bucket++;
        }
        return bucket;
    }

    /**
     * Returns the lateness that {@code share} of all firings did not exceed, interpolated linearly within its bucket.
     * Empty if the histogram is empty. For the last bucket, returns its lower bound.
     *
     * @param share a fraction, such as 0.99
     */
    public static Optional<Duration> percentile(List<Long> buckets, double share) {
        long all = buckets.stream().mapToLong(Long::longValue).sum();
        if (all == 0) {
            return Optional.empty();
        }
        double rank = Math.max(1, share * all);
        int bucket = 0;
        while (bucket < BELOW_MILLIS.length && rank > buckets.get(bucket)) {
            rank -= buckets.get(bucket);
            bucket++;
        }
        return Optional.of(within(bucket, rank / Math.max(1, buckets.get(bucket))));
    }

    private static Duration within(int bucket, double share) {
        long from = bucket == 0 ? 0 : BELOW_MILLIS[bucket - 1];
        long to = bucket == BELOW_MILLIS.length ? from : BELOW_MILLIS[bucket];
        return Duration.ofNanos((long) ((from + (to - from) * share) * 1_000_000));
    }
}
