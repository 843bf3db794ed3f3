package dev.dormouse.internal.history;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.RunRow;
import java.util.ArrayList;
import java.util.List;

/** A decoder for the rows of a run's history that detects missing and altered rows. */
public final class History {
    private History() {}

    /**
     * Returns the events of a run, checked against its row. Rows that were appended after the run's row was read are
     * ignored.
     *
     * @param rows all rows of the run's history, in order
     * @throws DormouseException HISTORY_DAMAGED if a row is missing or altered, HISTORY_TOO_NEW if its format is not
     *     known
     */
    public static List<Event> read(RunRow run, List<HistoryRow> rows) {
        List<Event> events = new ArrayList<>(run.nextSeq());
        long checksum = Checksum.EMPTY;
        for (HistoryRow row : rows) {
            if (row.seq() >= run.nextSeq()) {
                break; // appended after the row of the run was read
            }
            checksum = check(run, row, events.size(), checksum);
            events.addAll(decode(run, row));
        }
        if (events.size() != run.nextSeq() || checksum != run.checksum()) {
            throw damaged(
                    run,
                    run.nextSeq() + " events with checksum " + run.checksum(),
                    events.size() + " with " + checksum);
        }
        return events;
    }

    private static long check(RunRow run, HistoryRow row, int expectedSeq, long previous) {
        if (row.seq() != expectedSeq) {
            throw damaged(run, "event " + expectedSeq, "event " + row.seq() + " follows: events are missing");
        }
        long checksum = Checksum.next(previous, row.seq(), row.count(), row.payload());
        if (checksum != row.checksum()) {
            throw damaged(
                    run, "checksum " + row.checksum() + " at event " + row.seq(), checksum + ": the row is altered");
        }
        return checksum;
    }

    private static List<Event> decode(RunRow run, HistoryRow row) {
        List<Event> events = EventCodec.decode(row.payload());
        if (events.size() != row.count()) {
            throw damaged(run, row.count() + " events in the row at " + row.seq(), "it holds " + events.size());
        }
        return events;
    }

    private static DormouseException damaged(RunRow run, String expected, String found) {
        return new DormouseException(
                ErrorCode.HISTORY_DAMAGED,
                "Expected the history of run " + run.runId() + " (workflow id '" + run.workflowId() + "') to hold "
                        + expected + ", but found " + found + ". The run is stuck; restore its rows from a backup.");
    }
}
