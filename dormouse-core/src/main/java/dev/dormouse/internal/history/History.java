package dev.dormouse.internal.history;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.RunRow;
import java.util.ArrayList;
import java.util.List;

/**
 * The committed events of a run, decoded and checked: missing and altered rows are detected.
 *
 * <p>While a run is RUNNING, its row has the number and checksum of the events of an earlier commit, and its owner may
 * have appended more. In any other status the row is exact, unless it counts takeovers. So the end of a history that is being written can be lost
 * without being noticed; everything before the row's {@code known_seq} cannot.
 *
 * @param checksum the checksum of the whole history
 */
public record History(List<Event> events, long checksum) {

    /**
     * Returns the events of a run, including those that were appended after the last change of a RUNNING run's row. For
     * any other run, rows that were appended after its row was read are ignored.
     *
     * @param rows all rows of the run's history, in order
     * @throws DormouseException HISTORY_DAMAGED if a row is missing or altered, HISTORY_TOO_NEW if its format is not
     *     known
     */
    public static List<Event> read(RunRow run, List<HistoryRow> rows) {
        return committed(run, rows).events;
    }

    /** Returns the history of a run; see {@link #read}. */
    public static History committed(RunRow run, List<HistoryRow> rows) {
        return mayBeAhead(run) ? all(run, rows) : exactly(run, rows);
    }

    /**
     * Returns true if the history may have events that the run's row does not count: it is RUNNING, or its lease was
     * taken away from a node that had appended.
     */
    public static boolean mayBeAhead(RunRow run) {
        return run.status() == RunStatus.RUNNING
                || run.takeovers() > 0 && !run.status().isClosed();
    }

    /**
     * Returns the history up to the {@code known_seq} of the run's row. Later rows are ignored.
     *
     * @throws DormouseException HISTORY_DAMAGED, HISTORY_TOO_NEW as in {@link #read}
     */
    public static History exactly(RunRow run, List<HistoryRow> rows) {
        return new Reader(run).read(rows, run.nextSeq());
    }

    /**
     * Returns the history with all its rows, whatever the status of the run.
     *
     * @throws DormouseException HISTORY_DAMAGED, HISTORY_TOO_NEW as in {@link #read}
     */
    public static History all(RunRow run, List<HistoryRow> rows) {
        return new Reader(run).read(rows, Integer.MAX_VALUE);
    }

    /**
     * Returns the number of events and the checksum at the end of a history, without decoding it. For a damaged history
     * too.
     */
    public static End end(RunRow run, List<HistoryRow> rows) {
        if (!rows.isEmpty()) {
            HistoryRow last = rows.get(rows.size() - 1);
            int events = last.seq() + last.count();
            if (events > run.nextSeq()) {
                return new End(events, last.checksum());
            }
        }
        return new End(run.nextSeq(), run.checksum());
    }

    /** The end of a history: the number of its events, which is the position of the next one, and their checksum. */
    public record End(int events, long checksum) {
        /** Returns the events of a commit at this end, encoded. */
        public Append append(List<Event> more) {
            if (more.isEmpty()) {
                return Append.nothing(checksum);
            }
            byte[] payload = EventCodec.encode(more);
            return new Append(more.size(), payload, Checksum.next(checksum, events, more.size(), payload));
        }
    }

    /** Returns the end of this history. */
    public End end() {
        return new End(events.size(), checksum);
    }

    /** Returns the number of events. */
    public int size() {
        return events.size();
    }

    /** Returns the last event. */
    public Event last() {
        return events.get(events.size() - 1);
    }

    /** Returns this history with events that were committed at its end. */
    public History with(List<Event> more, long newChecksum) {
        List<Event> all = new ArrayList<>(events);
        all.addAll(more);
        return new History(all, newChecksum);
    }

    /** A reading of the rows of one run, from the first to the last. */
    private static final class Reader {
        private final RunRow run;
        private final List<Event> events;
        private long checksum = Checksum.EMPTY;
        private boolean fitsRow;

        Reader(RunRow run) {
            this.run = run;
            this.events = new ArrayList<>(run.nextSeq());
        }

        History read(List<HistoryRow> rows, int end) {
            compareWithRow();
            for (HistoryRow row : rows) {
                if (row.seq() >= end) {
                    break;
                }
                checksum = check(row);
                events.addAll(decode(row));
                compareWithRow();
            }
            if (!fitsRow) {
                throw damaged(
                        run.nextSeq() + " events with checksum " + run.checksum(), events.size() + " with " + checksum);
            }
            return new History(events, checksum);
        }

        private void compareWithRow() {
            fitsRow |= events.size() == run.nextSeq() && checksum == run.checksum();
        }

        private long check(HistoryRow row) {
            if (row.seq() != events.size()) {
                throw damaged("event " + events.size(), "event " + row.seq() + " follows: events are missing");
            }
            long next = Checksum.next(checksum, row.seq(), row.count(), row.payload());
            if (next != row.checksum()) {
                throw damaged("checksum " + row.checksum() + " at event " + row.seq(), next + ": the row is altered");
            }
            return next;
        }

        private List<Event> decode(HistoryRow row) {
            List<Event> decoded = EventCodec.decode(row.payload());
            if (decoded.size() != row.count()) {
                throw damaged(row.count() + " events in the row at " + row.seq(), "it holds " + decoded.size());
            }
            return decoded;
        }

        private DormouseException damaged(String expected, String found) {
            return new DormouseException(
                    ErrorCode.HISTORY_DAMAGED,
                    "Expected the history of run " + run.runId() + " (workflow id '" + run.workflowId() + "') to hold "
                            + expected + ", but found " + found
                            + ". The run is stuck; restore its rows from a backup.");
        }
    }
}
