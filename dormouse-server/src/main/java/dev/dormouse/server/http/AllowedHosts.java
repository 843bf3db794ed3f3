package dev.dormouse.server.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The host names of the server. They protect against DNS rebinding: a foreign page can make its own name resolve to
 * this machine, but its requests then carry that name. An address instead of a name is accepted if the request arrived
 * at it. Immutable.
 */
final class AllowedHosts {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private final Set<String> names = new HashSet<>();

    /**
     * Creates the names of a server.
     *
     * @param address the address that it listens on
     * @param configured further names
     */
    AllowedHosts(String address, Set<String> configured) {
        configured.forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
        names.add(bracketed(address.toLowerCase(Locale.ROOT)));
        if (isLoopback(address)) {
            names.addAll(LOOPBACK);
        }
    }

    /** Returns true if only this machine can reach an address. */
    static boolean isLoopback(String address) {
        String host = bracketed(address.toLowerCase(Locale.ROOT));
        return LOOPBACK.contains(host) || host.equals("[0:0:0:0:0:0:0:1]");
    }

    private static String bracketed(String address) {
        return address.indexOf(':') >= 0 && !address.startsWith("[") ? "[" + address + "]" : address;
    }

    /**
     * Checks the host that a request names.
     *
     * @param header the request's Host: a name and perhaps a port
     * @param local the address at which the request arrived
     * @throws RequestRefused 403 if it is not a name of this server
     */
    void check(@Nullable String header, String local) {
        String name = name("http://" + header);
        if (header == null || name == null || !isServed(name, local)) {
            throw RequestRefused.forged(
                    "Expected a request to a name of this server, but its Host is another one. Call it by "
                            + "its address, or add the name to the server's hosts.");
        }
    }

    private boolean isServed(String name, String local) {
        boolean isNear = name.equals("localhost") && isLoopback(local);
        return isNear || names.contains(name) || name.equals(bracketed(local.toLowerCase(Locale.ROOT)));
    }

    /**
     * Checks the page that a request comes from.
     *
     * @param header the request's Origin; null if no page sent the request
     * @throws RequestRefused 403 if it is not a page of this server
     */
    void checkOrigin(@Nullable String header, String host, String local) {
        if (header == null) {
            return;
        }
        String name = name(header);
        boolean isOwn =
                name != null && isServed(name, local) && authority(header).equalsIgnoreCase(host);
        if (!isOwn) {
            throw RequestRefused.forged(
                    "Expected a request of this server's own pages, but its Origin is another one. Call the "
                            + "API from a program, or open the dashboard of this server.");
        }
    }

    private static @Nullable String name(String url) {
        try {
            String host = new URI(url).getHost();
            return host == null ? null : host.toLowerCase(Locale.ROOT);
        } catch (URISyntaxException malformed) {
            return null;
        }
    }

    private static String authority(String url) {
        return url.substring(url.indexOf("://") + 3);
    }
}
