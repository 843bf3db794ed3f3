package dev.dormouse.server.http;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.api.Caller;
import dev.dormouse.server.request.ConcurrencyLimit;
import java.time.Duration;

/**
 * A limit on the number of request bodies that are read at a time, because a body that arrives slowly holds a thread.
 * Clients without a token are counted by address and have few permits and little time; callers with a token have
 * permits of their own. Thread-safe.
 */
final class BodyReadLimit {
    private final ConcurrencyLimit unknown = new ConcurrencyLimit(32, 16);
    private final ConcurrencyLimit known = new ConcurrencyLimit(96, 48);

    /**
     * Reads the body of a request whose sender has not shown a token yet.
     *
     * @throws RequestRefused 429 if too many bodies from this address, or in total, are being read
     */
    byte[] ofUnknown(HttpRequest request, int max) {
        return read(unknown, request.remoteAddress(), request, max, BodyReader.LONGEST_OF_UNKNOWN);
    }

    /**
     * Reads the body of a known caller's request.
     *
     * @throws RequestRefused 429 if too many bodies of this caller, or in total, are being read
     */
    byte[] ofCaller(Caller caller, HttpRequest request, int max) {
        return read(known, caller.name(), request, max, BodyReader.LONGEST);
    }

    private static byte[] read(ConcurrencyLimit limit, String sender, HttpRequest request, int max, Duration timeout) {
        ConcurrencyLimit.Permit permit = limit.acquire(sender).orElseThrow(() -> full(limit));
        try (permit) {
            return request.body(max, timeout);
        }
    }

    private static RequestRefused full(ConcurrencyLimit limit) {
        return RequestRefused.with(
                        429,
                        ErrorCode.TOO_MANY_REQUESTS,
                        "Expected at most " + limit.maxPerCaller()
                                + " requests of one sender whose bodies are still being sent, but there are more, or too "
                                + "many of all senders together. Send the body at once, and try again in a moment.")
                .header("Retry-After", "1");
    }
}
