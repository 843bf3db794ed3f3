package dev.dormouse.sqlite.connect;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.sqlite.sql.SqlErrors;
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
 * The location of a database: a file, or memory.
 *
 * @param file empty for memory
 */
public record DatabaseLocation(Optional<Path> file) {
    public static final String URL_FORM = "sqlite:FILE or sqlite::memory:";

    private static final String PREFIX = "sqlite:";
    private static final String JDBC_PREFIX = "jdbc:" + PREFIX;
    private static final String MEMORY = ":memory:";

    public static boolean isUrl(String url) {
        return url.startsWith(PREFIX) || url.startsWith(JDBC_PREFIX);
    }

    public static DatabaseLocation ofUrl(String url) {
        String name = url.substring(url.startsWith(PREFIX) ? PREFIX.length() : JDBC_PREFIX.length());
        if (name.equals(MEMORY)) {
            return new DatabaseLocation(Optional.empty());
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
     * Returns the file of a DataSource, which is used for nothing else: the store opens its own connections, with its
     * own settings.
     */
    public static DatabaseLocation ofDataSource(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            return ofFile(mainFile(connection).orElseThrow(DatabaseLocation::dataSourceInMemory));
        } catch (SQLException e) {
            throw SqlErrors.of("the DataSource's database", e);
        }
    }

    private static DormouseException dataSourceInMemory() {
        return new DormouseException(
                ErrorCode.BAD_SETTING,
                "Expected a DataSource of an SQLite file, but its database is in memory, where no other connection can "
                        + "reach it. Use a file, or sqlite::memory: instead of a DataSource.");
    }

    /**
     * Returns the file of a connection's main database; empty if it has none. Uses a pragma, because a select would
     * start to read from the file.
     */
    public static Optional<String> mainFile(Connection connection) throws SQLException {
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

    private static DatabaseLocation ofFile(String name) {
        try {
            return new DatabaseLocation(Optional.of(Path.of(name)));
        } catch (InvalidPathException e) {
            throw new DormouseException(
                    ErrorCode.BAD_SETTING, "Expected the name of a file, but " + name + " cannot be one here.", e);
        }
    }

    /** Returns the name for messages. */
    public String name() {
        return file.map(Path::toString).orElse(MEMORY);
    }

    /**
     * Returns this location with the file's real path, so that each file has one name. Creates a missing file; an empty
     * file is a database without tables.
     */
    public DatabaseLocation resolved() {
        return new DatabaseLocation(file.map(DatabaseLocation::realPath));
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

    /** Rejects question marks: the driver would parse what follows as parameters. */
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
            // Another process created it first, or it is a dangling link, which toRealPath() reports.
        }
    }

    private static DormouseException unavailable(String message, @Nullable IOException cause) {
        return new DormouseException(ErrorCode.STORE_UNAVAILABLE, message, cause);
    }
}
