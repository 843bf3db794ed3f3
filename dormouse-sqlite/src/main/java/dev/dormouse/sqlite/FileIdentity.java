package dev.dormouse.sqlite;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that the file of a database, or its log, was deleted, renamed or replaced while it is open. SQLite continues
 * writing to a file that has no name any more, and all of that is gone when it is closed. So the names are looked up
 * before a transaction begins and again after it was committed, before anything is acknowledged: one look takes about
 * two microseconds. Where the operating system has no file keys, only a missing file is noticed.
 *
 * <p>Once noticed, it stays so until the store is opened again, even if the file comes back: another process may have
 * used it meanwhile, without the log that this one has open. Thread-safe.
 */
final class FileIdentity {
    private static final Logger LOG = LoggerFactory.getLogger(FileIdentity.class);
    private static final int IO_ERROR = 10;

    /** For a database in memory, which cannot be replaced. */
    static final FileIdentity NONE = new FileIdentity(Optional.empty(), null);

    private final Optional<Path> file;
    private final @Nullable Object key;
    private volatile @Nullable Object logKey;
    private volatile @Nullable String finding;

    private FileIdentity(Optional<Path> file, @Nullable Object key) {
        this.file = file;
        this.key = key;
    }

    /**
     * The identity that a file has now.
     *
     * @throws DormouseException STORE_UNSUITABLE when it has a second name: the lock and the log go by the name
     */
    static FileIdentity of(Path file) throws SQLException {
        int names = names(file);
        if (names > 1) {
            throw new DormouseException(
                    ErrorCode.STORE_UNSUITABLE,
                    "Expected " + file + " to have one name, but it has " + names
                            + " (hard links). Two processes could "
                            + "open it by different names and destroy it. Delete the other names, or copy the file.");
        }
        return new FileIdentity(Optional.of(file), keyOf(file).orElse(null));
    }

    private static int names(Path file) {
        try {
            return Files.getAttribute(file, "unix:nlink") instanceof Integer links ? links : 1;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return 1; // no such attribute here
        }
    }

    /** Throws if the file was found to be replaced before. Looks at nothing. */
    void checkKnown() throws FileReplacedException {
        String known = finding;
        if (known != null) {
            throw new FileReplacedException(known);
        }
    }

    /** Throws if the name of the file leads elsewhere, or nowhere. */
    void check() throws SQLException {
        checkKnown();
        if (file.isPresent() && !isSame(file.get(), key)) {
            replaced(file.get());
        }
    }

    /** Throws if what was committed just now went to a file, or to a log, that has lost its name. */
    void checkCommitted() throws SQLException {
        check();
        if (file.isEmpty()) {
            return;
        }
        Path log = file.get().resolveSibling(file.get().getFileName() + "-wal");
        if (logKey == null) {
            logKey = keyOf(log).orElse(null);
        } else if (!isSame(log, logKey)) {
            replaced(log);
        }
    }

    /** The connection that writes is closed: the next one may begin a new log. */
    void forgetLog() {
        logKey = null;
    }

    private static boolean isSame(Path path, @Nullable Object key) throws SQLException {
        Optional<Object> found = keyOf(path);
        return found.isPresent() && (key == null || key.equals(found.get()));
    }

    /** Empty where there is no file; the path itself where the file has no key. */
    private static Optional<Object> keyOf(Path path) throws SQLException {
        try {
            @Nullable
            Object found = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
            return Optional.of(found == null ? path : found);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new SQLException("cannot look up " + path + ": " + e, null, IO_ERROR);
        }
    }

    private synchronized void replaced(Path path) throws FileReplacedException {
        if (finding == null) {
            finding = path + (Files.exists(path) ? " was replaced by another file" : " was deleted or renamed");
            LOG.error(
                    "Expected {} to stay in its place while it is open, but {}. Nothing is acknowledged any more. Close "
                            + "this store, put the file back together with its -wal file, and open it again.",
                    file.orElseThrow(),
                    finding);
        }
        checkKnown();
    }

    /** Opens connections to this file only, and to no new one that its name leads to. */
    ConnectionSource guard(ConnectionSource source) {
        return () -> {
            check();
            return source.open();
        };
    }

    /** Reads as long as the file is known to be in its place. */
    Reads guard(Reads reads) {
        return new Reads() {
            @Override
            public <T> T read(Work<T> work) throws SQLException {
                checkKnown();
                return reads.read(work);
            }

            @Override
            public void close() {
                reads.close();
            }
        };
    }
}
