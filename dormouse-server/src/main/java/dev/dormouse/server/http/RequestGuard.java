package dev.dormouse.server.http;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.api.Caller;
import dev.dormouse.server.api.Role;
import dev.dormouse.server.api.Token;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** A guard that identifies the caller of a request and refuses forged requests. Thread-safe. */
final class RequestGuard {
    private static final String BEARER = "Bearer ";
    private static final Caller LOCAL = new Caller("local", Role.ADMIN);

    private final AllowedHosts hosts;
    private final List<Token> tokens;
    private final boolean isOpen;
    private final LoginSessions logins;

    /**
     * Creates a guard.
     *
     * @param tokens all valid tokens
     * @param isOpen true if requests without a token get full access
     */
    RequestGuard(AllowedHosts hosts, List<Token> tokens, boolean isOpen, LoginSessions logins) {
        this.hosts = hosts;
        this.tokens = List.copyOf(tokens);
        this.isOpen = isOpen;
        this.logins = logins;
    }

    void checkHost(HttpRequest request) {
        hosts.check(request.header("Host"), request.localAddress());
    }

    /**
     * Checks a request that changes something. A foreign page can make the user's browser send requests here, but it
     * cannot add this header, and it cannot hide its origin.
     *
     * @throws RequestRefused 403 if another site may have sent it
     */
    void checkNotForged(HttpRequest request) {
        checkSite(request);
        if (request.header("Authorization") == null && !"1".equals(request.header("X-Dormouse-Csrf"))) {
            throw RequestRefused.forged(
                    "Expected a header X-Dormouse-Csrf: 1, or a token as Authorization: Bearer …, but there "
                            + "is neither. Add one.");
        }
    }

    /**
     * Checks that no foreign page sent the request. Used for reads too: the page could not read the response, but could
     * keep the server busy.
     *
     * @throws RequestRefused 403 if another site sent it
     */
    void checkSite(HttpRequest request) {
        hosts.checkOrigin(request.header("Origin"), String.valueOf(request.header("Host")), request.localAddress());
        String site = request.header("Sec-Fetch-Site");
        if (site != null && !site.equals("same-origin") && !site.equals("none")) {
            throw RequestRefused.forged("Expected a request of this server's own pages, but another site has sent it.");
        }
    }

    /** Returns true if requests without a token get full access; all of them then count as one caller. */
    boolean isOpen() {
        return isOpen;
    }

    /** Returns the caller whose token or session the request has, or empty. */
    Optional<Caller> find(HttpRequest request) {
        String authorization = request.header("Authorization");
        if (authorization != null) {
            return bearer(authorization).flatMap(this::holder);
        }
        return request.cookie().flatMap(logins::find).or(() -> isOpen ? Optional.of(LOCAL) : Optional.empty());
    }

    /**
     * Returns the caller of a request.
     *
     * @throws RequestRefused 401 if there is none
     */
    Caller caller(HttpRequest request) {
        return find(request)
                .orElseThrow(() -> unknown(
                        request.header("Authorization") == null
                                ? "Expected a token, but there is none."
                                : "Expected a token that is known here, but this one is not."));
    }

    /** Returns a check whether the caller of an endless response still has access: a session may end before it. */
    BooleanSupplier stay(HttpRequest request) {
        Optional<String> cookie = request.header("Authorization") == null ? request.cookie() : Optional.empty();
        return cookie.filter(login -> logins.find(login).isPresent())
                .<BooleanSupplier>map(login -> () -> logins.find(login).isPresent())
                .orElse(() -> true);
    }

    private static RequestRefused unknown(String sentence) {
        return RequestRefused.with(
                        401,
                        ErrorCode.NOT_AUTHENTICATED,
                        sentence
                                + " Send one as Authorization: Bearer …, or log in; on the command line use --token-file FILE or DORMOUSE_TOKEN.")
                .header("WWW-Authenticate", "Bearer");
    }

    private static Optional<String> bearer(String header) {
        boolean isOne = header.regionMatches(true, 0, BEARER, 0, BEARER.length());
        return isOne ? Optional.of(header.substring(BEARER.length()).strip()) : Optional.empty();
    }

    /** Compares with every token, so that the time does not reveal which one was close. */
    private Optional<Caller> holder(String secret) {
        String hash = Token.hash(secret);
        Caller found = null;
        for (Token token : tokens) {
            found = token.isHashOf(hash) ? token.caller() : found;
        }
        return Optional.ofNullable(found);
    }

    /**
     * Creates a session for this token and returns the cookie value.
     *
     * @throws RequestRefused 401 if the token is unknown
     */
    String logIn(String secret) {
        return holder(secret)
                .map(logins::add)
                .orElseThrow(() -> unknown("Expected a token that is known here, but this one is not."));
    }

    /** Returns the name of the session's caller, for the audit log. */
    String loggedIn(String cookie) {
        return logins.find(cookie).map(Caller::name).orElse("unknown");
    }

    void logOut(HttpRequest request) {
        request.cookie().ifPresent(logins::remove);
    }
}
