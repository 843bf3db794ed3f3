package dev.dormouse.server;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * A file beside a SQLite file, with the URL and token of the server whose process owns that file. The command line
 * sends its changes there. Only the file's owner may read it. It exists while the server runs.
 */
final class ServerFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServerFile.class);
    private static final Set<PosixFilePermission> OWNER =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private final Path file;

    private ServerFile(Path file) {
        this.file = file;
    }

    static ServerFile write(Path store, String url, String token) {
        Path file = store.resolveSibling(store.getFileName() + ".server");
        String json = new JsonMapper().writeValueAsString(Map.of("url", url, "token", token));
        try {
            Files.deleteIfExists(file);
            create(file);
            Files.write(file, json.getBytes(StandardCharsets.UTF_8), StandardOpenOption.WRITE);
        } catch (IOException refused) {
            throw new DormouseException(
                    ErrorCode.SERVER_NOT_STARTED,
                    "Expected to write " + file
                            + ", which tells the command line where this server is, but that failed (" + refused
                            + "). Check the permissions of its directory.",
                    refused);
        }
        return new ServerFile(file);
    }

    /**
     * Creates the file with its final permissions: a process that opens it before they are set could read what is
     * written later.
     */
    private static void create(Path file) throws IOException {
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER));
        } else {
            Files.createFile(file);
        }
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException left) {
            LOG.warn("Could not delete {}: {}", file, left.toString());
        }
    }
}
