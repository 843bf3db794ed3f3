package dev.dormouse.server.http;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.api.Caller;
import dev.dormouse.server.api.Places;
import java.util.Optional;

/**
 * Places for requests that are being answered. Callers with a token and clients without one have places of their own, and
 * one of them gets half at most. Together they are fewer than the server has threads. Thread-safe.
 */
final class RequestPlaces {
    /** All places. */
    static final int MOST = 260 + 64;

    private final Gate gate;
    private final Places known;
    private final Places unknown = new Places(64, 32);

    RequestPlaces(Gate gate) {
        this.gate = gate;
        this.known = new Places(260, gate.isOpen() ? 260 : 130);
    }

    /**
     * Takes a place for a request until it is answered.
     *
     * @throws Refused 429 if too many requests of the sender, or of all senders together, are being answered
     */
    Places.Place take(Ask ask) {
        Optional<Caller> caller = gate.find(ask);
        return caller.isPresent() ? take(known, caller.get().name()) : take(unknown, ask.remoteAddress());
    }

    private static Places.Place take(Places places, String who) {
        return places.take(who)
                .orElseThrow(() -> Refused.with(
                                429,
                                ErrorCode.TOO_MANY_REQUESTS,
                                "Expected at most " + places.mostOfOne()
                                        + " requests of one sender at a time, but there are more, or too many of all senders "
                                        + "together. Send it again in a moment.")
                        .header("Retry-After", "1"));
    }
}
