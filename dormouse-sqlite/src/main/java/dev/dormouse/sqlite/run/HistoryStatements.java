package dev.dormouse.sqlite.run;

import dev.dormouse.sqlite.sql.SqlSession;
import dev.dormouse.sqlite.sql.Tx;
import dev.dormouse.sqlite.sql.UuidBytes;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.HistoryRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Statements that append to histories and read them. */
public final class HistoryStatements {
    public static final String APPEND = """
            insert into dormouse_history (shard, run_id, seq, count, at, checksum, payload)
            values (?, ?, ?, ?, ?, ?, ?)
            on conflict do nothing""";

    static final String OF_RUN = """
            select run_id, seq, count, at, checksum, payload from dormouse_history
            where shard = ? and run_id = ?
            order by seq""";

    static final String LENGTH = """
            select seq + count from dormouse_history
            where shard = ? and run_id = ?
            order by seq desc limit 1""";

    static final String ROW = """
            select run_id, seq, count, at, checksum, payload from dormouse_history
            where shard = ? and run_id = ? and seq = ?""";

    static final String ACCEPTED = """
            select at from dormouse_history
            where shard = ? and run_id = ? and seq = ? and checksum = ? and payload = ?""";

    private HistoryStatements() {}

    /** Appends events. Returns false if the position is taken. */
    static boolean append(Tx tx, UUID runId, int seq, Append append) throws SQLException {
        return tx.call(APPEND)
                        .with(tx.shard())
                        .with(runId)
                        .with(seq)
                        .with(append.count())
                        .with(tx.now())
                        .with(append.checksum())
                        .with(append.payload())
                        .update()
                == 1;
    }

    /** Returns when exactly these events were appended at this place; empty if they were not. */
    static Optional<Instant> acceptedAt(Tx tx, UUID runId, int seq, Append append) throws SQLException {
        return tx.call(ACCEPTED)
                .with(tx.shard())
                .with(runId)
                .with(seq)
                .with(append.checksum())
                .with(append.payload())
                .first(row -> Micros.toInstant(row.getLong(1)));
    }

    /** Returns the number of events in a history. */
    public static int length(SqlSession session, int shard, UUID runId) throws SQLException {
        return session.call(LENGTH)
                .with(shard)
                .with(runId)
                .first(row -> row.getInt(1))
                .orElse(0);
    }

    public static Optional<HistoryRow> row(SqlSession session, int shard, UUID runId, int seq) throws SQLException {
        return session.call(ROW).with(shard).with(runId).with(seq).first(HistoryStatements::read);
    }

    public static List<HistoryRow> of(SqlSession session, int shard, List<UUID> runIds) throws SQLException {
        List<HistoryRow> found = new ArrayList<>();
        for (UUID runId : new LinkedHashSet<>(runIds)) {
            found.addAll(session.call(OF_RUN).with(shard).with(runId).all(HistoryStatements::read));
        }
        return found;
    }

    private static HistoryRow read(ResultSet row) throws SQLException {
        return new HistoryRow(
                UuidBytes.toId(row.getBytes(1)),
                row.getInt(2),
                row.getInt(3),
                Micros.toInstant(row.getLong(4)),
                row.getLong(5),
                row.getBytes(6));
    }
}
