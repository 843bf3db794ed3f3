package dev.dormouse.sqlite;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.Start;
import dev.dormouse.store.StartOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/**
 * Starts a run in a transaction of the user's, on the user's connection to the same file.
 *
 * <p>It replaces no run: as on a database with row locks, where that would lock the other run's row for as long as the
 * user likes, a workflow id that is taken stays so.
 *
 * <p>A savepoint holds the run and its first event together. Outside of a transaction it is one by itself, so that a
 * connection with auto-commit does no harm either.
 */
final class StartWithin {
    private final Location location;

    StartWithin(Location location) {
        this.location = location;
    }

    StartOutcome apply(Connection connection, int shard, Start start, long now) {
        Session session = new Session(connection);
        try {
            checkFile(connection);
            return apply(new Tx(session, shard, now), replacingNothing(start));
        } catch (SQLException e) {
            if (Failures.isBusy(e)) {
                return new StartOutcome.Locked();
            }
            throw Failures.of(location.name(), e);
        } finally {
            session.release();
        }
    }

    private static Start replacingNothing(Start start) {
        return new Start(
                start.workflowId(),
                start.runId(),
                start.type(),
                start.lane(),
                start.owner(),
                start.next(),
                start.first(),
                Set.of(),
                start.queued());
    }

    private static StartOutcome apply(Tx tx, Start start) throws SQLException {
        tx.session().execute("savepoint dormouse_start");
        boolean isDone = false;
        try {
            StartOutcome outcome = Starts.apply(tx, start);
            isDone = true;
            return outcome;
        } finally {
            if (!isDone) {
                tx.session().execute("rollback to dormouse_start");
            }
            tx.session().execute("release dormouse_start");
        }
    }

    /** A start in another file would be lost without a trace, if that one has tables of Dormouse too. */
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
