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
 * How a server is set up. Immutable; begin with {@link #DEFAULT}.
 *
 * @param address where it listens. Default: 127.0.0.1; any other one needs tokens
 * @param port 0 for any that is free. Default: 7070
 * @param tokens who may do what. Default: none, whoever reaches the loopback address may do everything
 * @param hosts names by which it is called, beside its address. Default: none
 * @param readOnly whether it refuses to change anything. Default: no
 * @param maxRequestBytes what a request may weigh. Default: 4 MiB
 * @param requestsPerSecond how many each caller may send, on average; twice as many at once. Default: 200
 * @param maxStreams how many may listen to live changes at a time. Default: 100
 * @param metrics what {@code /metrics} answers. Default: nothing
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

    /** With one more token; see {@link DormouseServer.Builder#token}. */
    public ServerSettings token(String name, Role role, String secretOrHash) {
        List<Token> more = new ArrayList<>(tokens);
        more.add(Token.of(name, role, secretOrHash));
        return new ServerSettings(
                address, port, more, hosts, readOnly, maxRequestBytes, requestsPerSecond, maxStreams, metrics);
    }

    /** With one more name by which it is called, such as {@code dormouse.example.com}. */
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
