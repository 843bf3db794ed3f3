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

/** From a request to its answer: first whether it may be asked, then by whom, then what. Thread-safe. */
final class RequestHandler {
    private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);
    private static final Logger AUDIT = LoggerFactory.getLogger("dormouse.audit");
    private static final Pattern PATH = Pattern.compile("(?:/[a-z0-9]{1,20}){1,3}");
    private static final int MOST_OF_A_LOGIN = 8 << 10;
    private static final String STREAM = Router.BASE + "/events/stream";

    private final Api api;
    private final RequestGuard gate;
    private final RateLimiter rate;
    private final ServerPages pages;
    private final LiveStreams streams;
    private final int maxBytes;
    private final String cookieName;
    private final BodyReadLimit reads = new BodyReadLimit();
    private final RequestLimit places;

    RequestHandler(
            Api api,
            RequestGuard gate,
            RateLimiter rate,
            ServerPages pages,
            LiveStreams streams,
            int maxBytes,
            String cookieName) {
        this.api = api;
        this.gate = gate;
        this.places = new RequestLimit(gate);
        this.rate = rate;
        this.pages = pages;
        this.streams = streams;
        this.maxBytes = maxBytes;
        this.cookieName = cookieName;
    }

    void handle(Context context) {
        SecurityHeaders.write(context.res());
        HttpRequest ask = new HttpRequest(context, cookieName);
        try {
            gate.checkHost(ask);
            check(ask);
            if (pages.isHealth(ask)) {
                ResponseWriter.write(context, pages.get(ask));
            } else {
                handle(context, ask);
            }
        } catch (RequestRefused refused) {
            ResponseWriter.write(context, refusal(ask, refused.response()));
        } catch (RuntimeException | StackOverflowError failed) {
            LOG.error("{} failed", context.method(), failed);
            ResponseWriter.write(
                    context,
                    ApiResponse.refusal(
                            500,
                            ErrorCode.SERVER_FAILED,
                            "Expected an answer, but the server failed. Its log has the reason."));
        }
    }

    /** Keeps some threads free, so that a server whose requests all wait still says that it lives. */
    private void handle(Context context, HttpRequest ask) {
        ConcurrencyLimit.Permit place = places.take(ask);
        try (place) {
            if (ask.path().equals(STREAM) && ask.isStream()) {
                stream(context, ask);
            } else {
                ResponseWriter.write(context, answer(context, ask));
            }
        }
    }

    /** Whoever is refused too often is told so, and fills no log. */
    private ApiResponse refusal(HttpRequest ask, ApiResponse response) {
        try {
            rate.check("refused " + ask.remoteAddress());
        } catch (RequestRefused tooOften) {
            return tooOften.response();
        }
        audit(ask, "unknown", response.status());
        return response;
    }

    /** A link to the dashboard from elsewhere is fine. */
    private void check(HttpRequest ask) {
        if (!ask.isLook()) {
            gate.checkNotForged(ask);
        } else if (ask.path().startsWith(Router.BASE)) {
            gate.checkSite(ask);
        }
    }

    private ApiResponse answer(Context context, HttpRequest ask) {
        if (ask.path().startsWith(Router.BASE + "/")) {
            Caller caller = caller(ask);
            byte[] body = ask.isLook() ? new byte[0] : reads.ofCaller(caller, ask, maxBytes);
            return api.handle(new ApiRequest(ask.method(), ask.path(), ask.query(), body, caller));
        }
        if (!pages.isInMemory(ask)) {
            rate.check(ask.remoteAddress());
        }
        return switch (ask.method() + " " + ask.path()) {
            case "POST /login" -> logIn(context, ask);
            case "POST /logout" -> logOut(context, ask);
            case "GET /metrics" -> {
                caller(ask);
                yield pages.metrics();
            }
            default -> pages.get(ask);
        };
    }

    /** Whoever is not let in is counted by address. */
    private Caller caller(HttpRequest ask) {
        try {
            Caller caller = gate.caller(ask);
            rate.check(caller.name() + " " + ask.remoteAddress());
            return caller;
        } catch (RequestRefused unknown) {
            if (unknown.response().status() == 401) {
                rate.check(ask.remoteAddress());
            }
            throw unknown;
        }
    }

    private void stream(Context context, HttpRequest ask) {
        Caller caller = caller(ask);
        streams.open(context, caller, ask.query(), gate.stay(ask));
    }

    /** What the API itself does not see. A path may hold a token: only its beginning is told. */
    private static void audit(HttpRequest ask, String who, int outcome) {
        if (!ask.isLook()) {
            Matcher path = PATH.matcher(ask.path());
            AUDIT.info(
                    "who={} from={} what=\"{} {}\" outcome={}",
                    who,
                    ask.remoteAddress(),
                    ask.method(),
                    path.lookingAt() ? path.group() : "",
                    outcome);
        }
    }

    // ---- the dashboard's login

    private ApiResponse logIn(Context context, HttpRequest ask) {
        String login = gate.logIn(LoginBody.token(reads.ofUnknown(ask, Math.min(maxBytes, MOST_OF_A_LOGIN))));
        setCookie(context, ask, login, LoginSessions.LIFETIME.toSeconds());
        audit(ask, gate.loggedIn(login), 200);
        return nothing();
    }

    private ApiResponse logOut(Context context, HttpRequest ask) {
        gate.logOut(ask);
        setCookie(context, ask, "", 0);
        return nothing();
    }

    private static ApiResponse nothing() {
        return new ApiResponse(200, "application/json", "{}".getBytes(StandardCharsets.UTF_8), Map.of(), "");
    }

    private void setCookie(Context context, HttpRequest ask, String value, long seconds) {
        context.res()
                .addHeader(
                        "Set-Cookie",
                        cookieName + "=" + value + "; Path=/; Max-Age=" + seconds + "; HttpOnly; SameSite=Strict"
                                + (ask.isEncrypted() ? "; Secure" : ""));
    }
}
