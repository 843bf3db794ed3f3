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

    /** The defaults: 127.0.0.1:7070, without tokens and further host names, and with full access. */
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

    /**
     * Returns a copy with another address to listen on. Any address but that of the loopback needs tokens. Default:
     * 127.0.0.1.
     *
     * @throws DormouseException BAD_SETTING if {@code value} is blank
     */
    public ServerSettings address(String value) {
        return new ServerSettings(
                value, port, tokens, hosts, readOnly, maxRequestBytes, requestsPerSecond, maxStreams, metrics);
    }

    /**
     * Returns a copy with another port; 0 for any free port. Default: 7070.
     *
     * @throws DormouseException BAD_SETTING if {@code value} is not from 0 to 65535
     */
    public ServerSettings port(int value) {
        return new ServerSettings(
                address, value, tokens, hosts, readOnly, maxRequestBytes, requestsPerSecond, maxStreams, metrics);
    }

    /**
     * Returns a copy with one more token; see {@link DormouseServer.Builder#token}. Default: none.
     *
     * @throws DormouseException BAD_SETTING if the token is shorter than 32 characters
     */
    public ServerSettings token(String name, Role role, String secretOrHash) {
        List<Token> more = new ArrayList<>(tokens);
        more.add(Token.of(name, role, secretOrHash));
        return new ServerSettings(
                address, port, more, hosts, readOnly, maxRequestBytes, requestsPerSecond, maxStreams, metrics);
    }

    /** Returns a copy with one more host name, such as {@code dormouse.example.com}. Default: only its address. */
    public ServerSettings host(String name) {
        Set<String> more = new HashSet<>(hosts);
        more.add(name);
        return new ServerSettings(
                address, port, tokens, more, readOnly, maxRequestBytes, requestsPerSecond, maxStreams, metrics);
    }

    /** Returns a copy that refuses requests that change something, or accepts them. Default: false. */
    public ServerSettings readOnly(boolean value) {
        return new ServerSettings(
                address, port, tokens, hosts, value, maxRequestBytes, requestsPerSecond, maxStreams, metrics);
    }

    /**
     * Returns a copy with another maximum size of a request. Default: 4 MiB.
     *
     * @throws DormouseException BAD_SETTING if {@code value} is less than 1
     */
    public ServerSettings maxRequestBytes(int value) {
        return new ServerSettings(
                address, port, tokens, hosts, readOnly, value, requestsPerSecond, maxStreams, metrics);
    }

    /**
     * Returns a copy with another average rate of requests for each caller. Bursts may have twice as many. Default:
     * 200.
     *
     * @throws DormouseException BAD_SETTING if {@code value} is less than 1
     */
    public ServerSettings requestsPerSecond(int value) {
        return new ServerSettings(address, port, tokens, hosts, readOnly, maxRequestBytes, value, maxStreams, metrics);
    }

    /**
     * Returns a copy with another maximum number of clients that receive live changes; 0 for none. Default: 100.
     *
     * @throws DormouseException BAD_SETTING if {@code value} is negative
     */
    public ServerSettings maxStreams(int value) {
        return new ServerSettings(
                address, port, tokens, hosts, readOnly, maxRequestBytes, requestsPerSecond, value, metrics);
    }

    /**
     * Returns a copy with another source of {@code /metrics}. It is called for each request, by several threads.
     * Default: an empty text.
     */
    public ServerSettings metrics(Supplier<String> value) {
        return new ServerSettings(
                address, port, tokens, hosts, readOnly, maxRequestBytes, requestsPerSecond, maxStreams, value);
    }
}
