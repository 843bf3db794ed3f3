package dev.dormouse.cli.api;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** Files of SQLite stores. */
public final class SqliteFiles {
    private SqliteFiles() {}

    /** The file that the URL of a store names; empty for other databases and for memory. */
    public static Optional<Path> file(String url) {
        String plain = url.startsWith("jdbc:") ? url.substring("jdbc:".length()) : url;
        if (!plain.startsWith("sqlite:") || plain.startsWith("sqlite::")) {
            return Optional.empty();
        }
        try {
            return Optional.of(Path.of(plain.substring("sqlite:".length())));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /** What the process that serves a file has left beside it. */
    public static Optional<Path> serverFile(Path database) {
        return Optional.of(ServerFile.beside(database)).filter(Files::exists);
    }
}
