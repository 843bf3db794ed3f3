package dev.dormouse.sqlite.event;

import dev.dormouse.sqlite.sql.SqlSession;
import dev.dormouse.sqlite.sql.Tx;
import dev.dormouse.store.event.PastEvent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Statements that store and read recently published events. */
public final class PastEventStatements {
    static final String KEEP = """
            insert into dormouse_past_event (shard, event, id, at, until, payload)
            values (?, ?, ?, ?, ?, ?)
            on conflict do nothing""";

    static final String LATEST = """
            select event, id, payload
            from dormouse_past_event indexed by dormouse_past_event_at
            where shard = ? and event = ? and at >= ?
            order by at desc, id desc
            limit ?""";

    static final String FORGET = """
            delete from dormouse_past_event where rowid in (
              select rowid from dormouse_past_event indexed by dormouse_past_event_until
              where shard = ? and until <= ?
              limit ?)""";

    /** The number of expired rows that are deleted for each new row: more than one, so that their number falls. */
    private static final int FORGOTTEN_FOR_EACH = 20;

    private PastEventStatements() {}

    /** Stores events and returns the number of expired events that were deleted. */
    public static int keep(Tx tx, List<PastEvent> batch, Duration keep) throws SQLException {
        for (PastEvent event : batch) {
            tx.call(KEEP)
                    .with(tx.shard())
                    .with(event.event())
                    .with(event.id())
                    .with(tx.now())
                    .with(tx.after(keep))
                    .with(event.payload())
                    .update();
        }
        return tx.call(FORGET)
                .with(tx.shard())
                .with(tx.now())
                .with((long) FORGOTTEN_FOR_EACH * batch.size())
                .update();
    }

    /**
     * Returns the latest events of one name.
     *
     * @param from the first instant, in microseconds
     */
    public static List<PastEvent> latest(SqlSession session, int shard, String event, long from, int limit)
            throws SQLException {
        return session.call(LATEST)
                .with(shard)
                .with(event)
                .with(from)
                .with(limit)
                .all(PastEventStatements::read);
    }

    private static PastEvent read(ResultSet row) throws SQLException {
        return new PastEvent(row.getString(1), row.getString(2), row.getBytes(3));
    }
}
