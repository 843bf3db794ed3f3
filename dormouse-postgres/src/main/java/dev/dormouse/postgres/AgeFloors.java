package dev.dormouse.postgres;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where the search for rows of a table whose time has passed begins in each shard. Below lie only entries of rows that are
 * gone, which a snapshot that somebody holds elsewhere keeps there in any number.
 *
 * <p>A hint that this process has made for itself, and no knowledge: a row may become visible late, or be locked when it is
 * looked at, and the server's clock may be set back. So once a minute the search begins at the beginning. Safe for use by
 * many threads: of two that write at once either is right.
 */
final class AgeFloors {
    /** How many rows go for each that comes: more than one, so that they get fewer. */
    private static final int MOST_FOR_EACH = 20;

    private static final long BEGIN_ANEW = Duration.ofMinutes(1).toNanos() / 1_000;

    private final Map<Integer, Floor> floors = new ConcurrentHashMap<>();

    /** In microseconds of the server's clock. */
    private record Floor(long from, long begunAnew, long now) {
        boolean isOld() {
            return now < begunAnew || now - begunAnew >= BEGIN_ANEW;
        }
    }

    long of(int shard) {
        Floor floor = floors.get(shard);
        return floor == null || floor.isOld() ? 0 : floor.from();
    }

    /** How many rows go at most with a batch of so many. */
    static long most(int batch) {
        return (long) MOST_FOR_EACH * batch;
    }

    /**
     * Runs a statement that deletes them from an instant on, at most so many, and answers with its now, how many they
     * were, the newest.
     */
    void run(PreparedStatement statement, int shard, long from, long most) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            rows.next();
            long now = rows.getLong(1);
            long next = rows.getLong(2) < most ? now : rows.getLong(3);
            Floor before = floors.get(shard);
            floors.put(shard, new Floor(next, before == null || from == 0 ? now : before.begunAnew(), now));
        }
    }
}
