package dev.dormouse.server.http;

import dev.dormouse.error.ErrorCode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * A rate limit for the requests of each caller, with a token bucket that holds two seconds' worth. The least recently
 * used buckets are forgotten, which only makes them full again. Thread-safe.
 */
final class RateLimiter {
    private static final int MAX = 10_000;
    private static final double SECOND = 1e9;

    private static final class Bucket {
        private double drops;
        private long filledAt;
    }

    private final double perSecond;
    private final LongSupplier nanos;
    private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
            return size() > MAX;
        }
    };

    RateLimiter(int perSecond, LongSupplier nanos) {
        this.perSecond = perSecond;
        this.nanos = nanos;
    }

    /**
     * Counts a request.
     *
     * @throws RequestRefused 429 if the caller sends too many
     */
    synchronized void check(String caller) {
        long now = nanos.getAsLong();
        Bucket bucket = buckets.get(caller);
        if (bucket == null) {
            bucket = new Bucket();
            bucket.drops = 2 * perSecond;
            bucket.filledAt = now;
            buckets.put(caller, bucket);
        }
        double since = (now - bucket.filledAt) / SECOND;
        bucket.drops = Math.min(2 * perSecond, bucket.drops + since * perSecond);
        bucket.filledAt = now;
        if (bucket.drops < 1) {
            throw RequestRefused.with(
                            429,
                            ErrorCode.TOO_MANY_REQUESTS,
                            "Expected at most " + (long) perSecond + " requests per second, but there are more. Wait a "
                                    + "moment, or raise requestsPerSecond.")
                    .header("Retry-After", "1");
        }
        bucket.drops--;
    }
}
