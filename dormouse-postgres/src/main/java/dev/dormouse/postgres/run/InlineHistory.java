package dev.dormouse.postgres.run;

import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.RunRow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a history that are kept in the run's own row, in column {@code inline_history}: the first event, and what
 * the run's owner commits together with a change of the row, as long as all of it is short. So most short runs and most
 * sleeping ones have no other row. An append never goes there, because it does not touch the run's row.
 *
 * <p>Each row is stored as: the time (8 bytes, written by the database), its position (4), the number of events (2), the
 * checksum (8), the length of the payload (2), and the payload.
 */
public final class InlineHistory {
    /**
     * The maximum length of the column. Each change of the run's row copies it, so a longer one would cost more than rows
     * of history.
     */
    static final int MOST_BYTES = 500;

    private static final int HEAD_BYTES = 16;

    /** The number of bytes that a row needs besides its payload. */
    static final int OVERHEAD = Long.BYTES + HEAD_BYTES;

    private InlineHistory() {}

    /** Returns the head of a row, without its time; null if the events are too long or too many. */
    static byte @Nullable [] head(int seq, Append append) {
        int length = append.payload().length;
        return append.count() == 0 || append.count() > Short.MAX_VALUE || OVERHEAD + length > MOST_BYTES
                ? null
                : ByteBuffer.allocate(HEAD_BYTES)
                        .putInt(seq)
                        .putShort((short) append.count())
                        .putLong(append.checksum())
                        .putShort((short) length)
                        .array();
    }

    /** Returns all rows of a run's history; empty if some of them are not in the column. */
    public static List<HistoryRow> whole(RunRow run, byte @Nullable [] column) {
        List<HistoryRow> rows = rows(run.runId(), column);
        int end = 0;
        for (HistoryRow row : rows) {
            end = row.seq() == end ? end + row.count() : Integer.MIN_VALUE;
        }
        return end == run.nextSeq() ? rows : List.of();
    }

    /** Returns the rows in the order in which they were committed, which is that of their events. */
    public static List<HistoryRow> rows(UUID runId, byte @Nullable [] column) {
        List<HistoryRow> rows = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(column == null ? new byte[0] : column);
        while (in.hasRemaining()) {
            long at = in.getLong();
            int seq = in.getInt();
            int count = in.getShort();
            long checksum = in.getLong();
            byte[] payload = new byte[in.getShort()];
            in.get(payload);
            rows.add(new HistoryRow(runId, seq, count, Micros.toInstant(at), checksum, payload));
        }
        return rows;
    }
}
