package dev.dormouse.server.api;

import dev.dormouse.error.ErrorCode;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** Requests that may wait for somebody: no longer than a minute, and a bounded number at a time. */
final class LongWaits {
    static final Duration LONGEST = Duration.ofMinutes(1);
    private static final int MOST = 64;

    private final Semaphore places = new Semaphore(MOST);

    <T> T during(Supplier<T> wait) {
        if (!places.tryAcquire()) {
            throw new ApiProblem(
                    429,
                    ErrorCode.TOO_MANY_REQUESTS,
                    "Expected at most " + MOST + " requests that wait, but there are so many already. Ask again later.",
                    null);
        }
        try {
            return wait.get();
        } finally {
            places.release();
        }
    }

    /** @param path of the duration */
    static Duration checked(String path, Duration time) {
        if (time.compareTo(LONGEST) > 0) {
            throw ApiProblem.bad(path, "Expected to wait for at most " + LONGEST + ", but got " + time + ".");
        }
        return time.isNegative() ? Duration.ZERO : time;
    }
}
