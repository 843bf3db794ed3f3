package dev.dormouse.server.http;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.api.Caller;
import dev.dormouse.server.request.ConcurrencyLimit;
import java.util.Optional;

/**
 * A limit on the requests that are answered at a time. Callers with a token and clients without one have separate
 * permits, and one caller or client gets half of them at most. All permits together are fewer than the server's
 * threads. Thread-safe.
 */
final class RequestLimit {
    /** The number of all permits. */
    static final int MAX = 260 + 64;

    private final RequestGuard guard;
    private final ConcurrencyLimit known;
    private final ConcurrencyLimit unknown = new ConcurrencyLimit(64, 32);

    RequestLimit(RequestGuard guard) {
        this.guard = guard;
        this.known = new ConcurrencyLimit(260, guard.isOpen() ? 260 : 130);
    }

    /**
     * Returns a permit for a request.
     *
     * @throws RequestRefused 429 if too many requests of the sender, or in total, are being answered
     */
    ConcurrencyLimit.Permit acquire(HttpRequest request) {
        Optional<Caller> caller = guard.find(request);
        return caller.isPresent() ? acquire(known, caller.get().name()) : acquire(unknown, request.remoteAddress());
    }

    private static ConcurrencyLimit.Permit acquire(ConcurrencyLimit limit, String sender) {
        return limit.acquire(sender)
                .orElseThrow(() -> RequestRefused.with(
                                429,
                                ErrorCode.TOO_MANY_REQUESTS,
                                "Expected at most " + limit.maxPerCaller()
                                        + " requests of one sender at a time, but there are more, or too many of all senders "
                                        + "together. Send it again in a moment.")
                        .header("Retry-After", "1"));
    }
}
