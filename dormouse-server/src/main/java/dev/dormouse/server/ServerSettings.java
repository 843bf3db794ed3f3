package dev.dormouse.server;

import static java.util.Objects.requireNonNull;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.api.Role;
import dev.dormouse.server.api.Token;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The settings of a server. Immutable; start with {@link #DEFAULT}.
 *
 * @param address the address to listen on. Default: 127.0.0.1; any other address needs tokens
 * @param port 0 for any free port. Default: 7070
 * @param tokens the callers and their roles. Default: none; every request to the loopback address has full access
 * @param hosts further host names, besides the address. Default: none
 * @param readOnly true to refuse requests that change something. Default: false
 * @param maxRequestBytes the maximum size of a request. Default: 4 MiB
 * @param requestsPerSecond the average rate of requests for each caller, with bursts of twice as many. Default: 200
 * @param maxStreams the maximum number of clients that receive live changes. Default: 100
 * @param metrics the source of {@code /metrics}. Default: an empty text
 */
public record ServerSettings(
        String address,
        int port,
        List<Token> tokens,
        Set<String> hosts,
        boolean readOnly,
        int maxRequestBytes,
        int requestsPerSecond,
        int maxStreams,
        Supplier<String> metrics) {

    public static final ServerSettings DEFAULT =
            new ServerSettings("127.0.0.1", 7070, List.of(), Set.of(), false, 4 << 20, 200, 100, () -> "");

    public ServerSettings {
        tokens = List.copyOf(tokens);
        hosts = Set.copyOf(hosts);
        requireNonNull(metrics);
        check(!requireNonNull(address).isBlank(), "an address to listen on", "none");
        check(port >= 0 && port <= 65_535, "a port from 0 to 65535", port);
        check(maxRequestBytes > 0, "a limit of requests of more than 0 bytes", maxRequestBytes);
        check(requestsPerSecond > 0, "more than 0 requests per second", requestsPerSecond);
        check(maxStreams >= 0, "0 or more streams", maxStreams);
    }

    private static void check(boolean holds, String expected, Object found) {
        if (!holds) {
            throw new DormouseException(
                    ErrorCode.BAD_SETTING, "Expected " + expected + ", but got " + found + ". Change the setting.");
        }
    }

    public ServerSettings address(String value) {
        return new ServerSettings(
                value, port, tokens, hosts, readOnly, maxRequestBytes, requestsPerSecond, maxStreams, metrics);
    }

    public ServerSettings port(int value) {
        return new ServerSettings(
                address, value, tokens, hosts, readOnly, maxRequestBytes, requestsPerSecond, maxStreams, metrics);
    }

    /** Returns a copy with one more token; see {@link DormouseServer.Builder#token}. */
    public ServerSettings token(String name, Role role, String secretOrHash) {
        List<Token> more = new ArrayList<>(tokens);
        more.add(Token.of(name, role, secretOrHash));
        return new ServerSettings(
                address, port, more, hosts, readOnly, maxRequestBytes, requestsPerSecond, maxStreams, metrics);
    }

    /** Returns a copy with one more host name, such as {@code dormouse.example.com}. */
    public ServerSettings host(String name) {
        Set<String> more = new HashSet<>(hosts);
        more.add(name);
        return new ServerSettings(
                address, port, tokens, more, readOnly, maxRequestBytes, requestsPerSecond, maxStreams, metrics);
    }

    public ServerSettings readOnly(boolean value) {
        return new ServerSettings(
                address, port, tokens, hosts, value, maxRequestBytes, requestsPerSecond, maxStreams, metrics);
    }

    public ServerSettings maxRequestBytes(int value) {
        return new ServerSettings(
                address, port, tokens, hosts, readOnly, value, requestsPerSecond, maxStreams, metrics);
    }

    public ServerSettings requestsPerSecond(int value) {
        return new ServerSettings(address, port, tokens, hosts, readOnly, maxRequestBytes, value, maxStreams, metrics);
    }

    public ServerSettings maxStreams(int value) {
        return new ServerSettings(
                address, port, tokens, hosts, readOnly, maxRequestBytes, requestsPerSecond, value, metrics);
    }

    public ServerSettings metrics(Supplier<String> value) {
        return new ServerSettings(
                address, port, tokens, hosts, readOnly, maxRequestBytes, requestsPerSecond, maxStreams, value);
    }
}
