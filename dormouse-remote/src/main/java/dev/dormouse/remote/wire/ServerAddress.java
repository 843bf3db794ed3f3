package dev.dormouse.remote.wire;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.StoreUrl;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a server.
 *
 * @param host a host name or an IP address; an IPv6 address without brackets
 */
public record ServerAddress(String host, int port) {
    /** The form of a URL. */
    public static final String URL_FORM = "dormouse://HOST:PORT[,HOST:PORT…]";

    private static final String SCHEME = "dormouse:";
    private static final Pattern ADDRESS = Pattern.compile("(?:\\[([0-9a-fA-F:.]+)]|([A-Za-z0-9._-]+)):(\\d{1,5})");
    private static final Pattern LOOPBACK = Pattern.compile("(?i)localhost|127(?:\\.\\d{1,3}){3}|::1|(?:0:){7}1");
    private static final int HIGHEST_PORT = 65_535;

    /** Returns true if the URL has the scheme of a server. */
    public static boolean isUrl(String url) {
        return url.startsWith(SCHEME);
    }

    /**
     * Returns the addresses in a URL.
     *
     * @throws DormouseException UNKNOWN_STORE if the URL is malformed; BAD_SETTING if an address is not of this machine
     */
    public static List<ServerAddress> ofUrl(String url) {
        List<ServerAddress> addresses = new ArrayList<>();
        String rest = url.startsWith(SCHEME + "//") ? url.substring(SCHEME.length() + 2) : "";
        for (String part : rest.split(",", -1)) {
            Matcher address = ADDRESS.matcher(part);
            int port = address.matches() ? Integer.parseInt(address.group(3)) : 0;
            if (port < 1 || port > HIGHEST_PORT) {
                throw new DormouseException(
                        ErrorCode.UNKNOWN_STORE,
                        "Expected a store URL of the form " + URL_FORM + ", but got '" + StoreUrl.masked(url)
                                + "'. Name the host and the gRPC port of each server.");
            }
            String host = address.group(1) == null ? address.group(2) : address.group(1);
            addresses.add(new ServerAddress(host, port).checked());
        }
        return List.copyOf(addresses);
    }

    /**
     * Returns this address if it is of this machine.
     *
     * @throws DormouseException BAD_SETTING if it is not
     */
    public ServerAddress checked() {
        if (!LOOPBACK.matcher(host).matches()) {
            throw new DormouseException(
                    ErrorCode.BAD_SETTING,
                    "Expected an address of this machine, such as 127.0.0.1, but got '" + this
                            + "'. Connections are not encrypted yet: run the server on the same machine, or "
                            + "lead an encrypted tunnel to a local port.");
        }
        return this;
    }

    /** Returns the address as in a URL. */
    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
