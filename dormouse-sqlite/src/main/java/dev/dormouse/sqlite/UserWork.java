package dev.dormouse.sqlite;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;

/**
 * What is done in a transaction of the user's, on the user's connection to the same file.
 *
 * <p>A savepoint holds it together. Outside of a transaction it is one by itself, so that a connection with auto-commit
 * does no harm either.
 */
final class UserWork {
    /**
     * Changes nothing. SQLite lets nobody write who read before somebody else's commit, and does not even wait; so the
     * lock comes before the first read.
     */
    private static final String TAKE_THE_WRITE_LOCK = "update dormouse_setting set value = value where name = ''";

    private final Location location;
    private final FileIdentity identity;

    /** Something that changes rows. */
    interface Work<T> {
        T apply(Tx tx) throws SQLException;
    }

    UserWork(Location location, FileIdentity identity) {
        this.location = location;
        this.identity = identity;
    }

    /** @param busy what it comes to when somebody else writes for too long */
    <T> T apply(Connection connection, int shard, long now, Supplier<T> busy, Work<T> work) {
        Session session = new Session(connection);
        try {
            checkFile(connection);
            identity.check();
            return apply(new Tx(session, shard, now), work);
        } catch (SQLException e) {
            if (Failures.isBusy(e)) {
                return busy.get();
            }
            throw Failures.of(location.name(), e);
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

    /** What is done in another file would be lost without a trace, if that one has tables of Dormouse too. */
    private void checkFile(Connection connection) throws SQLException {
        Path file = location.file()
                .orElseThrow(() -> new DormouseException(
                        ErrorCode.NOT_SUPPORTED_BY_STORE,
                        "Expected a store in a file, but this one is in memory, where no other connection can reach "
                                + "it. Use sqlite:FILE."));
        String found = Location.mainFile(connection).orElse(":memory:");
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
