package dev.dormouse.server.http;

import dev.dormouse.server.api.Caller;
import dev.dormouse.server.api.Token;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Login sessions by cookie. They are kept in memory for half a day, and their number is bounded. Thread-safe. */
final class LoginSessions {
    static final Duration LIFETIME = Duration.ofHours(12);
    private static final int MAX = 1_000;

    /** A caller that logs in again and again ends only its own sessions. */
    private static final int MAX_PER_CALLER = 100;

    private record Login(Caller caller, Instant until) {}

    private final Clock clock;
    private final Map<String, Login> logins = new LinkedHashMap<>();

    LoginSessions(Clock clock) {
        this.clock = clock;
    }

    /** Creates a session and returns the value of its cookie. */
    synchronized String add(Caller caller) {
        logins.values().removeIf(login -> login.until().isBefore(clock.instant()));
        List<String> own = logins.entrySet().stream()
                .filter(login -> login.getValue().caller().equals(caller))
                .map(Map.Entry::getKey)
                .toList();
        if (own.size() >= MAX_PER_CALLER) {
            logins.remove(own.get(0));
        } else if (logins.size() >= MAX) {
            logins.remove(logins.keySet().iterator().next());
        }
        String id = Token.random();
        logins.put(Token.hash(id), new Login(caller, clock.instant().plus(LIFETIME)));
        return id;
    }

    synchronized Optional<Caller> find(String cookie) {
        return Optional.ofNullable(logins.get(Token.hash(cookie)))
                .filter(login -> login.until().isAfter(clock.instant()))
                .map(Login::caller);
    }

    synchronized void remove(String cookie) {
        logins.remove(Token.hash(cookie));
    }
}
