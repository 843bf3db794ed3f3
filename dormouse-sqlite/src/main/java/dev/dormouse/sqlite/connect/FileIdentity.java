package dev.dormouse.sqlite.connect;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.sqlite.sql.FileReplacedException;
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
 * A check that detects that the database file or its log was deleted, renamed or replaced while it is open. SQLite
 * continues to write to a file without a name, and all of that is lost when the file is closed. So both names are
 * checked before a transaction starts and after it was committed, before anything is acknowledged. A check takes about
 * two microseconds. If the operating system has no file keys, only a missing file is detected.
 *
 * <p>A finding is final until the store is opened again, even if the file comes back: another process may have used it
 * in the meantime, without the log that this process has open.
 *
 * <p>Concurrency: thread-safe. {@code finding} is written once, under the lock of this object, and read without it; a
 * thread that misses it runs its own check before it acknowledges anything. {@code logKey} is written only by the
 * thread that has the turn to write.
 */
public final class FileIdentity {
    private static final Logger LOG = LoggerFactory.getLogger(FileIdentity.class);
    private static final int IO_ERROR = 10;

    /** The identity of a database in memory, which cannot be replaced. */
    public static final FileIdentity NONE = new FileIdentity(Optional.empty(), null);

    private final Optional<Path> file;
    private final @Nullable Object key;
    private volatile @Nullable Object logKey;
    private volatile @Nullable String finding;

    private FileIdentity(Optional<Path> file, @Nullable Object key) {
        this.file = file;
        this.key = key;
    }

    /**
     * Returns the current identity of {@code file}.
     *
     * @throws DormouseException STORE_UNSUITABLE if the file has hard links, because the lock and the log are found by
     *     name
     */
    public static FileIdentity of(Path file) throws SQLException {
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

    /** Throws if the file was found to be replaced before. Does not access the file system. */
    void checkKnown() throws FileReplacedException {
        String known = finding;
        if (known != null) {
            throw new FileReplacedException(known);
        }
    }

    /** Throws if the file's name leads to another file or to none. */
    public void check() throws SQLException {
        checkKnown();
        if (file.isPresent() && !isSame(file.get(), key)) {
            replaced(file.get());
        }
    }

    /** Throws if the last commit went to a file or a log that has lost its name. */
    public void checkCommitted() throws SQLException {
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

    /** Called when the writing connection was closed: the next one may create a new log. */
    void forgetLog() {
        logKey = null;
    }

    private static boolean isSame(Path path, @Nullable Object key) throws SQLException {
        Optional<Object> found = keyOf(path);
        return found.isPresent() && (key == null || key.equals(found.get()));
    }

    /** Returns the key of a file, or its path if it has no key. Empty if the file does not exist. */
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

    /** Returns a source that opens connections to this file only, not to another file of the same name. */
    public ConnectionSource guard(ConnectionSource source) {
        return () -> {
            check();
            return source.open();
        };
    }

    /** Returns a reader that fails once the file is known to be replaced. */
    public ReadAccess guard(ReadAccess reads) {
        return new ReadAccess() {
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
