package dev.dormouse.postgres.sqltimers;

import dev.dormouse.engine.Threads;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log lines about SQL timers that fail: an action once, a handler at attempts 1, 2, 4, 8 … and when it is not tried
 * again. At most {@value #MOST} lines a minute are written; the next one says how many were left out. Thread-safe.
 */
final class FailureLog {
    private static final Logger LOG = LoggerFactory.getLogger(SqlTimers.class);
    private static final int MOST = 8;
    private static final long WINDOW = Duration.ofMinutes(1).toNanos();

    private final Threads threads;
    private long began;
    private int lines;
    private int leftOut;

    FailureLog(Threads threads) {
        this.threads = threads;
    }

    /** Logs that an action has failed, with the error that was recorded. */
    void action(Database database, String role, ActionStatements.Due timer) {
        mayLog().ifPresent(note -> LOG.warn(
                "SQL timer {} of role {} has failed: {}. It is not tried again.{}",
                name(timer.shardKey(), timer.id()),
                role,
                error(database, timer),
                note));
    }

    private static String error(Database database, ActionStatements.Due timer) {
        try {
            return database.call(connection -> read(connection, timer));
        } catch (SQLException noAnswer) {
            return "its row has the error";
        }
    }

    private static String read(Connection connection, ActionStatements.Due timer) throws SQLException {
        String sql = "select t.sqlstate, t.error from timers.timers t where t.shard_key = ? and t.id = ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, timer.shardKey());
            statement.setLong(2, timer.id());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getString(1) + " " + row.getString(2) : "its row was removed";
            }
        }
    }

    /**
     * Logs that a handler has failed.
     *
     * @param pause until the next attempt; empty if there is none
     */
    void handler(SqlTimerCall call, Throwable problem, Optional<Duration> pause) {
        if (pause.isPresent() && Integer.bitCount(call.attempt()) != 1) {
            return;
        }
        mayLog().ifPresent(note -> LOG.warn(
                "Attempt {} of handler '{}' for SQL timer {} failed: {}. {}{}",
                call.attempt(),
                call.handler(),
                name(call.shardKey(), call.id()),
                problem,
                pause.map(time -> "The next attempt begins in " + time.toMillis() / 1000.0 + " s.")
                        .orElse("It is not tried again."),
                note,
                problem));
    }

    private static String name(long shardKey, long id) {
        return shardKey == 0 ? String.valueOf(id) : shardKey + ":" + id;
    }

    /** Returns empty if there were too many lines in this minute; otherwise what else the line has to say. */
    private synchronized Optional<String> mayLog() {
        long now = threads.nanoTime();
        if (lines == 0 || now - began >= WINDOW) {
            began = now;
            lines = 0;
        } else if (lines == MOST) {
            leftOut++;
            return Optional.empty();
        }
        lines++;
        String note = leftOut == 0 ? "" : " Before this, " + leftOut + " such lines were left out.";
        leftOut = 0;
        return Optional.of(note);
    }
}
