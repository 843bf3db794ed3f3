package dev.dormouse.store.page;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.RunRow;
import java.time.Instant;
import java.util.UUID;

/** A position in the list of due runs, which is ordered by alarm, then by run id. */
public record DuePlace(Instant at, UUID runId) implements Comparable<DuePlace> {
    private static final UUID LAST = new UUID(-1, -1);

    /**
     * Returns the place of a run.
     *
     * @throws IllegalArgumentException if the run has no alarm
     */
    public static DuePlace of(RunRow row) {
        Instant at = row.wakeAt();
        if (at == null) {
            throw new IllegalArgumentException("Expected a run with an alarm, but " + row.runId() + " has none.");
        }
        return new DuePlace(at, row.runId());
    }

    /** Returns the place after all alarms of an instant. */
    public static DuePlace behind(Instant at) {
        return new DuePlace(at, LAST);
    }

    /** Returns the place before all alarms of an instant. */
    public static DuePlace before(Instant at) {
        return behind(at.minusNanos(1_000));
    }

    /**
     * Parses the text that {@link #toString} returns.
     *
     * @throws DormouseException BAD_ARGUMENT if the text is malformed
     */
    public static DuePlace parse(String text) {
        try {
            int colon = text.indexOf(':');
            return new DuePlace(
                    Micros.roundUp(Micros.toInstant(Long.parseLong(text.substring(0, colon)))),
                    UUID.fromString(text.substring(colon + 1)));
        } catch (IllegalArgumentException | IndexOutOfBoundsException | DormouseException notOurs) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected the page token that the previous page returned, but got '" + text
                            + "'. Pass the token unchanged, or start with the first page.",
                    notOurs);
        }
    }

    @Override
    public String toString() {
        return Micros.of(at) + ":" + runId;
    }

    /**
     * Compares by alarm, then by run id. Ids are compared by their bytes, as databases do.
     *
     * @return a negative number, zero or a positive number if this place is before, at or behind the other
     */
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
