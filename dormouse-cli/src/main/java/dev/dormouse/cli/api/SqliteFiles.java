package dev.dormouse.cli.api;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** A search for the files of SQLite stores. */
public final class SqliteFiles {
    private SqliteFiles() {}

    /** Returns the file of a store's URL, or empty for other databases and in-memory stores. */
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

    /** Returns the {@code .server} file beside a database, or empty if it does not exist. */
    public static Optional<Path> serverFile(Path database) {
        return Optional.of(ServerFileReader.beside(database)).filter(Files::exists);
    }
}
