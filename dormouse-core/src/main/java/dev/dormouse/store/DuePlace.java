package dev.dormouse.store;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.time.Instant;
import java.util.UUID;

/** A place in the list of what is due, which is in order of alarms, and of run ids where alarms are the same. */
public record DuePlace(Instant at, UUID runId) implements Comparable<DuePlace> {
    private static final UUID LAST = new UUID(-1, -1);

    /** The place of a run that has an alarm. */
    public static DuePlace of(RunRow row) {
        Instant at = row.wakeAt();
        if (at == null) {
            throw new IllegalArgumentException("Expected a run with an alarm, but " + row.runId() + " has none.");
        }
        return new DuePlace(at, row.runId());
    }

    /** Behind all alarms of this instant. */
    public static DuePlace behind(Instant at) {
        return new DuePlace(at, LAST);
    }

    /** Before all alarms of this instant. */
    public static DuePlace before(Instant at) {
        return behind(at.minusNanos(1_000));
    }

    /** Reads what {@link #toString} wrote. */
    public static DuePlace parse(String text) {
        try {
            int colon = text.indexOf(':');
            return new DuePlace(
                    Micros.roundUp(Micros.toInstant(Long.parseLong(text.substring(0, colon)))),
                    UUID.fromString(text.substring(colon + 1)));
        } catch (IllegalArgumentException | IndexOutOfBoundsException | DormouseException notOurs) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a page as the page before named it, but got '" + text
                            + "'. Hand it on as it is, or begin with the first page.",
                    notOurs);
        }
    }

    @Override
    public String toString() {
        return Micros.of(at) + ":" + runId;
    }

    /** Ids in the order of their bytes, as databases have them. */
    @Override
    public int compareTo(DuePlace other) {
        int byTime = at.compareTo(other.at);
        if (byTime != 0) {
            return byTime;
        }
        int high = Long.compareUnsigned(runId.getMostSignificantBits(), other.runId.getMostSignificantBits());
        return high != 0
                ? high
                : Long.compareUnsigned(runId.getLeastSignificantBits(), other.runId.getLeastSignificantBits());
    }
}
