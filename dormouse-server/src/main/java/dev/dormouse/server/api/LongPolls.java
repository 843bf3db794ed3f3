package dev.dormouse.server.api;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.request.ApiProblem;
import dev.dormouse.server.request.ConcurrencyLimit;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * A limit for requests that wait: each waits for a minute at most, and a bounded number waits at a time. One caller may
 * hold half of the permits.
 *
 * <p>Thread-safe. Requests that any reader may send and those that need another role have separate permits, so that
 * waiting for results never prevents an update.
 */
final class LongPolls {
    static final Duration LONGEST = Duration.ofMinutes(1);
    private static final int MAX = 64;

    private final ConcurrencyLimit ofReaders = new ConcurrencyLimit(MAX, MAX / 2);
    private final ConcurrencyLimit ofOperators = new ConcurrencyLimit(MAX, MAX / 2);

    /** Runs {@code wait}, which belongs to a request that any reader may send. */
    <T> T waitAsReader(Caller caller, Supplier<T> wait) {
        return during(ofReaders, caller, wait);
    }

    /** Runs {@code wait}, which belongs to a request that readers may not send. */
    <T> T waitAsOperator(Caller caller, Supplier<T> wait) {
        return during(ofOperators, caller, wait);
    }

    private static <T> T during(ConcurrencyLimit limit, Caller caller, Supplier<T> wait) {
        ConcurrencyLimit.Permit permit = limit.acquire(caller.name()).orElseThrow(() -> full(caller));
        try (permit) {
            return wait.get();
        }
    }

    private static ApiProblem full(Caller caller) {
        return new ApiProblem(
                429,
                ErrorCode.TOO_MANY_REQUESTS,
                "Expected at most " + MAX + " requests that wait, and at most " + MAX / 2 + " of one caller, but '"
                        + caller.name() + "' or all together have as many already. Ask again later.",
                null);
    }

    /**
     * Returns a waiting time that is not negative.
     *
     * @param path the place of the duration in the request
     * @throws ApiProblem 400 if it is longer than a minute
     */
    static Duration checked(String path, Duration time) {
        if (time.compareTo(LONGEST) > 0) {
            throw ApiProblem.bad(path, "Expected to wait for at most " + LONGEST + ", but got " + time + ".");
        }
        return time.isNegative() ? Duration.ZERO : time;
    }
}
