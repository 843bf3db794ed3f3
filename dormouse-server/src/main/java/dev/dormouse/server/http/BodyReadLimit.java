package dev.dormouse.server.http;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.api.Caller;
import dev.dormouse.server.request.ConcurrencyLimit;
import java.time.Duration;

/**
 * Reads bodies, a bounded number at a time, because a body that arrives slowly holds a thread. Clients without a token have
 * few places and little time, counted by address. Callers with a token have places of their own. Thread-safe.
 */
final class BodyReadLimit {
    private final ConcurrencyLimit unknown = new ConcurrencyLimit(32, 16);
    private final ConcurrencyLimit known = new ConcurrencyLimit(96, 48);

    /**
     * Reads the body of a request whose sender has not shown a token yet.
     *
     * @throws RequestRefused 429 if too many bodies of the address, or of all together, are being read
     */
    byte[] ofUnknown(HttpRequest ask, int most) {
        return read(unknown, ask.remoteAddress(), ask, most, BodyReader.LONGEST_OF_UNKNOWN);
    }

    /**
     * Reads the body of a request of a known caller.
     *
     * @throws RequestRefused 429 if too many bodies of the caller, or of all together, are being read
     */
    byte[] ofCaller(Caller caller, HttpRequest ask, int most) {
        return read(known, caller.name(), ask, most, BodyReader.LONGEST);
    }

    private static byte[] read(ConcurrencyLimit places, String who, HttpRequest ask, int most, Duration longest) {
        ConcurrencyLimit.Permit place = places.take(who).orElseThrow(() -> full(places));
        try (place) {
            return ask.body(most, longest);
        }
    }

    private static RequestRefused full(ConcurrencyLimit places) {
        return RequestRefused.with(
                        429,
                        ErrorCode.TOO_MANY_REQUESTS,
                        "Expected at most " + places.mostOfOne()
                                + " requests of one sender whose bodies are still being sent, but there are more, or too "
                                + "many of all senders together. Send the body at once, and try again in a moment.")
                .header("Retry-After", "1");
    }
}
