package dev.dormouse.server.http;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.api.Api;
import dev.dormouse.server.api.ApiRequest;
import dev.dormouse.server.api.ApiResponse;
import dev.dormouse.server.api.Caller;
import dev.dormouse.server.api.Router;
import dev.dormouse.server.request.ConcurrencyLimit;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handler of all requests: checks the host and the origin, then identifies the caller, then calls the API.
 * Thread-safe.
 */
final class RequestHandler {
    private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);
    private static final Logger AUDIT = LoggerFactory.getLogger("dormouse.audit");
    private static final Pattern PATH = Pattern.compile("(?:/[a-z0-9]{1,20}){1,3}");
    private static final int MAX_LOGIN_BYTES = 8 << 10;
    private static final String STREAM = Router.BASE + "/events/stream";

    private final Api api;
    private final RequestGuard guard;
    private final RateLimiter rate;
    private final ServerPages pages;
    private final LiveStreams streams;
    private final int maxBytes;
    private final String cookieName;
    private final BodyReadLimit bodies = new BodyReadLimit();
    private final RequestLimit limit;

    RequestHandler(
            Api api,
            RequestGuard guard,
            RateLimiter rate,
            ServerPages pages,
            LiveStreams streams,
            int maxBytes,
            String cookieName) {
        this.api = api;
        this.guard = guard;
        this.limit = new RequestLimit(guard);
        this.rate = rate;
        this.pages = pages;
        this.streams = streams;
        this.maxBytes = maxBytes;
        this.cookieName = cookieName;
    }

    void handle(Context context) {
        SecurityHeaders.write(context.res());
        HttpRequest request = new HttpRequest(context, cookieName);
        try {
            guard.checkHost(request);
            check(request);
            if (pages.isHealth(request)) {
                ResponseWriter.write(context, pages.get(request));
            } else {
                handle(context, request);
            }
        } catch (RequestRefused refused) {
            ResponseWriter.write(context, refusal(request, refused.response()));
        } catch (RuntimeException | StackOverflowError failed) {
            LOG.error("A {} request failed", context.method(), failed);
            ResponseWriter.write(
                    context,
                    ApiResponse.refusal(
                            500,
                            ErrorCode.SERVER_FAILED,
                            "Expected an answer, but the server failed. Its log has the reason."));
        }
    }

    /** Answers a request within the {@link RequestLimit}, which keeps threads free for {@code /healthz}. */
    private void handle(Context context, HttpRequest request) {
        ConcurrencyLimit.Permit permit = limit.acquire(request);
        try (permit) {
            if (request.path().equals(STREAM) && request.isStream()) {
                stream(context, request);
            } else {
                ResponseWriter.write(context, answer(context, request));
            }
        }
    }

    /** Limits refusals of one address, so that they cannot fill the audit log. */
    private ApiResponse refusal(HttpRequest request, ApiResponse response) {
        try {
            rate.check("refused " + request.remoteAddress());
        } catch (RequestRefused tooOften) {
            return tooOften.response();
        }
        audit(request, "unknown", response.status());
        return response;
    }

    /** Refuses forged requests. Links from other sites to the dashboard are allowed. */
    private void check(HttpRequest request) {
        if (!request.isRead()) {
            guard.checkNotForged(request);
        } else if (request.path().startsWith(Router.BASE)) {
            guard.checkSite(request);
        }
    }

    private ApiResponse answer(Context context, HttpRequest request) {
        if (request.path().startsWith(Router.BASE + "/")) {
            Caller caller = caller(request);
            byte[] body = request.isRead() ? new byte[0] : bodies.ofCaller(caller, request, maxBytes);
            return api.handle(new ApiRequest(request.method(), request.path(), request.query(), body, caller));
        }
        if (!pages.isInMemory(request)) {
            rate.check(request.remoteAddress());
        }
        return switch (request.method() + " " + request.path()) {
            case "POST /login" -> logIn(context, request);
            case "POST /logout" -> logOut(context, request);
            case "GET /metrics" -> {
                caller(request);
                yield pages.metrics();
            }
            default -> pages.get(request);
        };
    }

    /** Identifies the caller and counts the request. Requests of unknown callers are counted by address. */
    private Caller caller(HttpRequest request) {
        try {
            Caller caller = guard.caller(request);
            rate.check(caller.name() + " " + request.remoteAddress());
            return caller;
        } catch (RequestRefused unknown) {
            if (unknown.response().status() == 401) {
                rate.check(request.remoteAddress());
            }
            throw unknown;
        }
    }

    private void stream(Context context, HttpRequest request) {
        Caller caller = caller(request);
        streams.open(context, caller, request.query(), guard.stay(request));
    }

    /** Logs requests that do not reach the API. A path may contain a token, so only its beginning is logged. */
    private static void audit(HttpRequest request, String caller, int outcome) {
        if (!request.isRead()) {
            Matcher path = PATH.matcher(request.path());
            AUDIT.info(
                    "who={} from={} what=\"{} {}\" outcome={}",
                    caller,
                    request.remoteAddress(),
                    request.method(),
                    path.lookingAt() ? path.group() : "",
                    outcome);
        }
    }

    // ---- the dashboard's login

    private ApiResponse logIn(Context context, HttpRequest request) {
        String login = guard.logIn(LoginBody.token(bodies.ofUnknown(request, Math.min(maxBytes, MAX_LOGIN_BYTES))));
        setCookie(context, request, login, LoginSessions.LIFETIME.toSeconds());
        audit(request, guard.loggedIn(login), 200);
        return nothing();
    }

    private ApiResponse logOut(Context context, HttpRequest request) {
        guard.logOut(request);
        setCookie(context, request, "", 0);
        return nothing();
    }

    private static ApiResponse nothing() {
        return new ApiResponse(200, "application/json", "{}".getBytes(StandardCharsets.UTF_8), Map.of(), "");
    }

    private void setCookie(Context context, HttpRequest request, String value, long seconds) {
        context.res()
                .addHeader(
                        "Set-Cookie",
                        cookieName + "=" + value + "; Path=/; Max-Age=" + seconds + "; HttpOnly; SameSite=Strict"
                                + (request.isEncrypted() ? "; Secure" : ""));
    }
}
