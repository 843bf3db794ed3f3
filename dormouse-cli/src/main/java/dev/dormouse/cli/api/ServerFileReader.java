package dev.dormouse.cli.api;

import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The file {@code FILE.server} beside a SQLite file: the URL and a token of the process that serves it. A killed
 * process leaves its file behind; then nothing listens at the URL, or another process that rejects the token. The file
 * is ignored unless it has the same owner as the database.
 */
record ServerFileReader(URI url, String token) {
    private static final int PATIENCE_MILLIS = 2_000;
    private static final Set<Integer> KNOWN = Set.of(200, 429, 503);

    static Path beside(Path database) {
        return database.resolveSibling(database.getFileName() + ".server");
    }

    /** Reads the file. Returns empty if it does not exist or no server of this store listens at its URL. */
    static Optional<ServerFileReader> read(Path database) {
        Path path = beside(database);
        if (!Files.exists(path)) {
            return Optional.empty();
        }
        try {
            if (!Files.getOwner(path).equals(Files.getOwner(database))) {
                return Optional.empty();
            }
            JsonNode json = ApiJson.MAPPER.readTree(Files.readString(path));
            ServerFileReader file =
                    new ServerFileReader(HttpApi.server(ApiJson.text(json, "url")), ApiJson.text(json, "token"));
            return Optional.of(file).filter(ServerFileReader::isAlive);
        } catch (IOException e) {
            throw new CommandFailed(
                    ExitCode.NOT_ALLOWED,
                    "Expected to read " + path
                            + ", which names the process that has the database open, but that failed (" + e
                            + "). Run the command as the user who started that process.",
                    e);
        } catch (JacksonException e) {
            return Optional.empty(); // the file is incomplete: it is being written, or its writer died
        }
    }

    /** Returns true if the server responds. URLs of other machines are refused, since the file could be forged. */
    private boolean isAlive() {
        try (Socket socket = new Socket()) {
            InetAddress address = InetAddress.getByName(url.getHost());
            if (!address.isAnyLocalAddress() && NetworkInterface.getByInetAddress(address) == null) {
                return false;
            }
            socket.connect(new InetSocketAddress(address, url.getPort()), PATIENCE_MILLIS);
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
        return isKnownThere();
    }

    /** Returns true if the server accepts the token or is overloaded. Another store's server may use the port by now. */
    private boolean isKnownThere() {
        try (ApiClient server = new HttpApi(url, token, "")) {
            return KNOWN.contains(server.call("GET", ApiPath.of("info"), null).status());
        } catch (CommandFailed noAnswer) {
            return false;
        }
    }
}
