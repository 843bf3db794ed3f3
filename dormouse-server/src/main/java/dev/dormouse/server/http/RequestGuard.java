package dev.dormouse.server.http;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.api.Caller;
import dev.dormouse.server.api.Role;
import dev.dormouse.server.api.Token;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Decides who a request comes from, and whether it may come from there. Thread-safe. */
final class RequestGuard {
    private static final String BEARER = "Bearer ";
    private static final Caller LOCAL = new Caller("local", Role.ADMIN);

    private final AllowedHosts hosts;
    private final List<Token> tokens;
    private final boolean isOpen;
    private final LoginSessions logins;

    /**
     * @param tokens all that are good
     * @param isOpen whether who shows none may do everything
     */
    RequestGuard(AllowedHosts hosts, List<Token> tokens, boolean isOpen, LoginSessions logins) {
        this.hosts = hosts;
        this.tokens = List.copyOf(tokens);
        this.isOpen = isOpen;
        this.logins = logins;
    }

    void checkHost(HttpRequest ask) {
        hosts.check(ask.header("Host"), ask.localAddress());
    }

    /**
     * For what changes something: a page elsewhere can have the reader's browser send requests here, but not with a header
     * of ours, and it cannot hide where it comes from.
     */
    void checkNotForged(HttpRequest ask) {
        checkSite(ask);
        if (ask.header("Authorization") == null && !"1".equals(ask.header("X-Dormouse-Csrf"))) {
            throw RequestRefused.forged(
                    "Expected a header X-Dormouse-Csrf: 1, or a token as Authorization: Bearer …, but there "
                            + "is neither. Add one.");
        }
    }

    /** Also for what only looks: pages elsewhere cannot read the answer, but could have the server work for nothing. */
    void checkSite(HttpRequest ask) {
        hosts.checkOrigin(ask.header("Origin"), String.valueOf(ask.header("Host")), ask.localAddress());
        String site = ask.header("Sec-Fetch-Site");
        if (site != null && !site.equals("same-origin") && !site.equals("none")) {
            throw RequestRefused.forged("Expected a request of this server's own pages, but another site has sent it.");
        }
    }

    /** Returns true if requests without a token are let in: then all callers are one. */
    boolean isOpen() {
        return isOpen;
    }

    /** Returns the caller that a request's token or login names, or nothing. */
    Optional<Caller> find(HttpRequest ask) {
        String authorization = ask.header("Authorization");
        if (authorization != null) {
            return bearer(authorization).flatMap(this::holder);
        }
        return ask.cookie().flatMap(logins::find).or(() -> isOpen ? Optional.of(LOCAL) : Optional.empty());
    }

    /** @throws RequestRefused 401 if there is no caller */
    Caller caller(HttpRequest ask) {
        return find(ask)
                .orElseThrow(() -> unknown(
                        ask.header("Authorization") == null
                                ? "Expected a token, but there is none."
                                : "Expected a token that is known here, but this one is not."));
    }

    /** Whether the caller of this request is still let in, for an answer without an end: logins end before it. */
    BooleanSupplier stay(HttpRequest ask) {
        Optional<String> cookie = ask.header("Authorization") == null ? ask.cookie() : Optional.empty();
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

    /** Compares with all, so that the time does not tell which came close. */
    private Optional<Caller> holder(String secret) {
        String hash = Token.hash(secret);
        Caller found = null;
        for (Token token : tokens) {
            found = token.isHashOf(hash) ? token.caller() : found;
        }
        return Optional.ofNullable(found);
    }

    /** What to put into the cookie of who has this token. */
    String logIn(String secret) {
        return holder(secret)
                .map(logins::add)
                .orElseThrow(() -> unknown("Expected a token that is known here, but this one is not."));
    }

    /** Whose cookie this is, for the audit log. */
    String loggedIn(String cookie) {
        return logins.find(cookie).map(Caller::name).orElse("unknown");
    }

    void logOut(HttpRequest ask) {
        ask.cookie().ifPresent(logins::remove);
    }
}
