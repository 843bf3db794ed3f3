package dev.dormouse.postgres.event;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The start of the scan for expired rows, per shard. Below it the index contains only entries of deleted rows. There
 * can be many of them while another session holds an old snapshot.
 *
 * <p>A floor is only a hint: a row may become visible late or be locked during the scan, and the server's clock may be
 * set back. Therefore the scan starts at the beginning once a minute. Thread-safe: if two threads write a floor at
 * once, either value is valid.
 */
final class ExpiryFloors {
    /** The number of expired rows that are deleted for each new row: more than one, so that their number falls. */
    private static final int MOST_FOR_EACH = 20;

    private static final long RESCAN_INTERVAL = Duration.ofMinutes(1).toNanos() / 1_000;

    private final Map<Integer, Floor> floors = new ConcurrentHashMap<>();

    /** The floor of one shard. All values are microseconds of the server's clock. */
    private record Floor(long from, long lastFullScan, long now) {
        boolean isOld() {
            return now < lastFullScan || now - lastFullScan >= RESCAN_INTERVAL;
        }
    }

    /** Returns the floor of a shard; 0 to scan from the beginning. */
    long of(int shard) {
        Floor floor = floors.get(shard);
        return floor == null || floor.isOld() ? 0 : floor.from();
    }

    /** Returns the maximum number of rows to delete with a batch of {@code batch} rows. */
    static long most(int batch) {
        return (long) MOST_FOR_EACH * batch;
    }

    /**
     * Runs a statement that deletes at most {@code most} expired rows from {@code from} on, and remembers the new
     * floor. The statement returns the server's clock, the number of deleted rows and the latest expiry among them.
     */
    void run(PreparedStatement statement, int shard, long from, long most) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            rows.next();
            long now = rows.getLong(1);
            long next = rows.getLong(2) < most ? now : rows.getLong(3);
            Floor before = floors.get(shard);
            floors.put(shard, new Floor(next, before == null || from == 0 ? now : before.lastFullScan(), now));
        }
    }
}
