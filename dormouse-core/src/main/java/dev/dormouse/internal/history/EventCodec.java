package dev.dormouse.internal.history;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.nio.BufferUnderflowException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The binary format of events: a format version, then for each event its {@link EventTag}, its instant and its fields.
 */
public final class EventCodec {
    private static final int FORMAT = 1;

    private EventCodec() {}

    public static byte[] encode(List<Event> events) {
        EventWriter out = new EventWriter();
        out.number(FORMAT);
        for (Event event : events) {
            event.write(out);
        }
        return out.toBytes();
    }

    /**
     * Decodes events.
     *
     * @throws DormouseException HISTORY_DAMAGED or HISTORY_TOO_NEW if the bytes are not events
     */
    public static List<Event> decode(byte[] bytes) {
        try {
            EventReader in = new EventReader(bytes);
            long format = in.number();
            if (format != FORMAT) {
                throw unknown("format", format);
            }
            List<Event> events = new ArrayList<>();
            while (!in.atEnd()) {
                events.add(read(in));
            }
            return events;
        } catch (BufferUnderflowException | ArithmeticException | IndexOutOfBoundsException cut) {
            throw new DormouseException(
                    ErrorCode.HISTORY_DAMAGED,
                    "Expected whole events in a history row, but its " + bytes.length + " bytes end within one. "
                            + "Restore the row from a backup.",
                    cut);
        }
    }

    private static Event read(EventReader in) {
        int number = in.count();
        Instant at = in.instant();
        EventTag tag = EventTag.of(number);
        if (tag == null) {
            throw unknown("event tag", number);
        }
        return tag.read(at, in);
    }

    static DormouseException unknown(String what, long found) {
        return new DormouseException(
                ErrorCode.HISTORY_TOO_NEW,
                "Expected a history that this version of Dormouse can read, but found " + what + " " + found
                        + ". Use the version that wrote it, or a later one.");
    }
}
