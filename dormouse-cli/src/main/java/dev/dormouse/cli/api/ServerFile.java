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
 * {@code FILE.server}: a process that has an SQLite file open and serves it tells the owner of the file where it listens,
 * and a token. A killed process leaves it behind; then nothing listens there any more, or somebody who does not know the
 * token. One that belongs to somebody else than the database does is not believed.
 */
record ServerFile(URI url, String token) {
    private static final int PATIENCE_MILLIS = 2_000;
    private static final Set<Integer> KNOWN = Set.of(200, 429, 503);

    static Path beside(Path database) {
        return database.resolveSibling(database.getFileName() + ".server");
    }

    /** Empty if there is none, or nobody listens where it says. */
    static Optional<ServerFile> read(Path database) {
        Path path = beside(database);
        if (!Files.exists(path)) {
            return Optional.empty();
        }
        try {
            if (!Files.getOwner(path).equals(Files.getOwner(database))) {
                return Optional.empty();
            }
            JsonNode json = Json.MAPPER.readTree(Files.readString(path));
            ServerFile file = new ServerFile(HttpApi.server(Json.text(json, "url")), Json.text(json, "token"));
            return Optional.of(file).filter(ServerFile::isAlive);
        } catch (IOException e) {
            throw new CommandFailed(
                    ExitCode.NOT_ALLOWED,
                    "Expected to read " + path
                            + ", which leads to the process that has the database open, but that failed (" + e
                            + "). Run the command as the user who started that process.",
                    e);
        } catch (JacksonException e) {
            return Optional.empty(); // it is being written, or a process died while it did
        }
    }

    /** Only on this machine: whoever could write the file must not lead us elsewhere. */
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

    /** Somebody else may listen there since, such as the server of another store. One that has no time just now is ours. */
    private boolean isKnownThere() {
        try (ApiClient server = new HttpApi(url, token, "")) {
            return KNOWN.contains(server.call("GET", ApiPath.of("info"), null).status());
        } catch (CommandFailed noAnswer) {
            return false;
        }
    }
}
