package dev.dormouse.sqlite;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.StoreUrl;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Where a database is: in a file, or in memory.
 *
 * @param file empty for memory
 */
record Location(Optional<Path> file) {
    static final String URL_FORM = "sqlite:FILE or sqlite::memory:";

    private static final String PREFIX = "sqlite:";
    private static final String JDBC_PREFIX = "jdbc:" + PREFIX;
    private static final String MEMORY = ":memory:";

    static boolean isUrl(String url) {
        return url.startsWith(PREFIX) || url.startsWith(JDBC_PREFIX);
    }

    static Location ofUrl(String url) {
        String name = url.substring(url.startsWith(PREFIX) ? PREFIX.length() : JDBC_PREFIX.length());
        if (name.equals(MEMORY)) {
            return new Location(Optional.empty());
        }
        if (name.isBlank() || name.startsWith(":") || name.startsWith("file:") || name.indexOf('?') >= 0) {
            throw new DormouseException(
                    ErrorCode.BAD_SETTING,
                    "Expected " + URL_FORM + " with the plain name of a file and no parameters, but got "
                            + StoreUrl.masked(url) + ". Dormouse sets up its connections itself.");
        }
        return ofFile(name);
    }

    /**
     * The file that a DataSource leads to. It is asked for that only: the store opens connections of its own, whose
     * set-up it knows and which nobody takes away from it.
     */
    static Location ofDataSource(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            return ofFile(mainFile(connection).orElseThrow(Location::dataSourceInMemory));
        } catch (SQLException e) {
            throw Failures.of("the DataSource's database", e);
        }
    }

    private static DormouseException dataSourceInMemory() {
        return new DormouseException(
                ErrorCode.BAD_SETTING,
                "Expected a DataSource of an SQLite file, but its database is in memory, where no other connection can "
                        + "reach it. Use a file, or sqlite::memory: instead of a DataSource.");
    }

    /** The file of a connection's main database; empty when it has none. A select would begin to read from the file. */
    static Optional<String> mainFile(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("pragma database_list")) {
            while (rows.next()) {
                if (rows.getString("name").equals("main")) {
                    return Optional.ofNullable(rows.getString("file")).filter(name -> !name.isEmpty());
                }
            }
            return Optional.empty();
        }
    }

    private static Location ofFile(String name) {
        try {
            return new Location(Optional.of(Path.of(name)));
        } catch (InvalidPathException e) {
            throw new DormouseException(
                    ErrorCode.BAD_SETTING, "Expected the name of a file, but " + name + " cannot be one here.", e);
        }
    }

    /** As it is called in messages. */
    String name() {
        return file.map(Path::toString).orElse(MEMORY);
    }

    /**
     * The same with the file's real path, so that one file has one name. A file that is missing is created, empty: that
     * is a database without tables.
     */
    Location resolved() {
        return new Location(file.map(Location::realPath));
    }

    private static Path realPath(Path path) {
        if (Files.isDirectory(path)) {
            throw unavailable("Expected a file, but " + path + " is a directory. Name a file in it.", null);
        }
        Path directory = path.toAbsolutePath().getParent();
        if (directory != null && !Files.isDirectory(directory)) {
            throw unavailable(
                    "Expected the directory of " + path + " to be there, but it is not. Create " + directory + ".",
                    null);
        }
        try {
            createIfMissing(path);
            return checked(path.toRealPath());
        } catch (IOException e) {
            throw unavailable(
                    "Expected to create " + path + " or to find it, but that failed (" + e
                            + "). Check the permissions of the file and its directory.",
                    e);
        }
    }

    /** The driver would take what follows a question mark for parameters. */
    private static Path checked(Path path) {
        if (path.toString().indexOf('?') >= 0) {
            throw new DormouseException(
                    ErrorCode.BAD_SETTING,
                    "Expected a path without a question mark, but got " + path + ". Put the file elsewhere.");
        }
        return path;
    }

    private static void createIfMissing(Path path) throws IOException {
        if (Files.exists(path)) {
            return;
        }
        try {
            Files.createFile(path);
        } catch (FileAlreadyExistsException e) {
            // Somebody else was faster, or it is a link to nowhere: then finding its real path tells.
        }
    }

    private static DormouseException unavailable(String message, @Nullable IOException cause) {
        return new DormouseException(ErrorCode.STORE_UNAVAILABLE, message, cause);
    }
}
