package dev.dormouse.server.http;

import dev.dormouse.Dormouse;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.api.Api;
import dev.dormouse.server.api.Token;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** A running server with all its parts. Thread-safe. */
public final class RunningServer implements AutoCloseable {
    private final HttpServer http;
    private final LiveStreams streams;
    private final String address;

    private RunningServer(HttpServer http, LiveStreams streams, String address) {
        this.http = http;
        this.streams = streams;
        this.address = address;
    }

    /**
     * The address of a server and the tokens that give access to it.
     *
     * @param tokens the configured tokens; empty to give all local requests full access
     * @param own a further token, for the command line
     * @param hosts further names of the server, besides its address
     */
    public record Endpoint(String address, int port, List<Token> tokens, Token own, Set<String> hosts) {
        public Endpoint {
            if (tokens.isEmpty() && !AllowedHosts.isLoopback(address)) {
                throw new DormouseException(
                        ErrorCode.SERVER_NEEDS_TOKEN,
                        "Expected tokens for a server that others can reach at " + address
                                + ", but there are none. Name a file of tokens with --tokens ('dormouse server --new-token' "
                                + "makes one; in Java: token(name, role, DormouseServer.newToken())), or listen on 127.0.0.1.");
            }
        }
    }

    /** The limits of a server. */
    public record Limits(int maxRequestBytes, int requestsPerSecond, int maxStreams) {}

    public static RunningServer start(
            Dormouse dormouse, Api api, Endpoint endpoint, Limits limits, Supplier<String> metrics) {
        List<Token> tokens = new ArrayList<>(endpoint.tokens());
        tokens.add(endpoint.own());
        AllowedHosts hosts = new AllowedHosts(endpoint.address(), endpoint.hosts());
        RequestGuard guard =
                new RequestGuard(hosts, tokens, endpoint.tokens().isEmpty(), new LoginSessions(Clock.systemUTC()));
        LiveStreams streams = new LiveStreams(
                new ChangePoller(new LiveSnapshots(api, dormouse)),
                limits.maxStreams(),
                guard.isOpen() ? limits.maxStreams() : (limits.maxStreams() + 1) / 2);
        RequestHandler exchange = new RequestHandler(
                api,
                guard,
                new RateLimiter(limits.requestsPerSecond(), System::nanoTime),
                new ServerPages(dormouse, metrics),
                streams,
                limits.maxRequestBytes(),
                "dormouse-" + endpoint.port());
        return new RunningServer(
                HttpServer.start(endpoint.address(), endpoint.port(), exchange), streams, endpoint.address());
    }

    public int port() {
        return http.port();
    }

    public String url() {
        String host = switch (address) {
            case "0.0.0.0" -> "127.0.0.1";
            case "::" -> "[::1]";
            default -> address.indexOf(':') >= 0 ? "[" + address + "]" : address;
        };
        return "http://" + host + ":" + port();
    }

    @Override
    public void close() {
        streams.close();
        http.close();
    }
}
