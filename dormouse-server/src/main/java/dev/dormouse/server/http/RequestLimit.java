package dev.dormouse.server.http;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.api.Caller;
import dev.dormouse.server.request.ConcurrencyLimit;
import java.util.Optional;

/**
 * Places for requests that are being answered. Callers with a token and clients without one have places of their own, and
 * one of them gets half at most. Together they are fewer than the server has threads. Thread-safe.
 */
final class RequestLimit {
    /** All places. */
    static final int MOST = 260 + 64;

    private final RequestGuard gate;
    private final ConcurrencyLimit known;
    private final ConcurrencyLimit unknown = new ConcurrencyLimit(64, 32);

    RequestLimit(RequestGuard gate) {
        this.gate = gate;
        this.known = new ConcurrencyLimit(260, gate.isOpen() ? 260 : 130);
    }

    /**
     * Takes a place for a request until it is answered.
     *
     * @throws RequestRefused 429 if too many requests of the sender, or of all senders together, are being answered
     */
    ConcurrencyLimit.Permit take(HttpRequest ask) {
        Optional<Caller> caller = gate.find(ask);
        return caller.isPresent() ? take(known, caller.get().name()) : take(unknown, ask.remoteAddress());
    }

    private static ConcurrencyLimit.Permit take(ConcurrencyLimit places, String who) {
        return places.take(who)
                .orElseThrow(() -> RequestRefused.with(
                                429,
                                ErrorCode.TOO_MANY_REQUESTS,
                                "Expected at most " + places.mostOfOne()
                                        + " requests of one sender at a time, but there are more, or too many of all senders "
                                        + "together. Send it again in a moment.")
                        .header("Retry-After", "1"));
    }
}
