package dev.dormouse.sqlite.run;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.sqlite.connect.DatabaseLocation;
import dev.dormouse.sqlite.connect.FileIdentity;
import dev.dormouse.sqlite.sql.SqlErrors;
import dev.dormouse.sqlite.sql.SqlSession;
import dev.dormouse.sqlite.sql.Tx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;

/**
 * Store operations that run in a user's transaction, on the user's connection to the same file.
 *
 * <p>A savepoint holds the operation together. Outside a transaction the savepoint is a transaction by itself, so that
 * a connection in auto-commit mode works too.
 */
public final class UserTransactionWork {
    /**
     * Changes nothing, but takes the write lock before the first read. SQLite refuses to write, without waiting, in a
     * transaction that has read before another connection's commit.
     */
    private static final String TAKE_THE_WRITE_LOCK = "update dormouse_setting set value = value where name = ''";

    private final DatabaseLocation location;
    private final FileIdentity identity;

    /** An operation that changes rows. */
    public interface Work<T> {
        T apply(Tx tx) throws SQLException;
    }

    public UserTransactionWork(DatabaseLocation location, FileIdentity identity) {
        this.location = location;
        this.identity = identity;
    }

    /**
     * Runs {@code work} in the user's transaction.
     *
     * @param busy returns the outcome if another connection holds the write lock for too long
     */
    public <T> T apply(Connection connection, int shard, long now, Supplier<T> busy, Work<T> work) {
        SqlSession session = new SqlSession(connection);
        try {
            checkFile(connection);
            identity.check();
            return apply(new Tx(session, shard, now), work);
        } catch (SQLException e) {
            if (SqlErrors.isBusy(e)) {
                return busy.get();
            }
            throw SqlErrors.of(location.name(), e);
        } finally {
            session.release();
        }
    }

    private static <T> T apply(Tx tx, Work<T> work) throws SQLException {
        tx.session().execute("savepoint dormouse_work");
        boolean isDone = false;
        try {
            tx.session().execute(TAKE_THE_WRITE_LOCK);
            T outcome = work.apply(tx);
            isDone = true;
            return outcome;
        } finally {
            if (!isDone) {
                tx.session().execute("rollback to dormouse_work");
            }
            tx.session().execute("release dormouse_work");
        }
    }

    /**
     * Throws if the connection leads to another file: writes there would be lost without notice if that file has tables
     * of Dormouse too.
     */
    private void checkFile(Connection connection) throws SQLException {
        Path file = location.file()
                .orElseThrow(() -> new DormouseException(
                        ErrorCode.NOT_SUPPORTED_BY_STORE,
                        "Expected a store in a file, but this one is in memory, where no other connection can reach "
                                + "it. Use sqlite:FILE."));
        String found = DatabaseLocation.mainFile(connection).orElse(":memory:");
        if (!isSame(file, found)) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a connection whose main database is " + file + ", but it is " + found
                            + ". Open the connection on the store's own file.");
        }
    }

    private static boolean isSame(Path file, String found) {
        try {
            return Files.isSameFile(file, Path.of(found));
        } catch (IOException | InvalidPathException e) {
            return false;
        }
    }
}
