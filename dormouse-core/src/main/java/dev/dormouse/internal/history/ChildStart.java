package dev.dormouse.internal.history;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings for the start of a child that is not started in the plain way: at once, without a timeout and a memo,
 * only under an unused workflow id, and without a report to its parent.
 *
 * @param startAt the earliest start; null for at once
 * @param timeout the execution timeout, from the moment the child may start; null for none
 * @param idPolicy the effect of a closed run of the workflow id
 * @param reported true if the parent gets a message when the child has started
 */
public record ChildStart(
        @Nullable Instant startAt,
        @Nullable Duration timeout,
        IdPolicy idPolicy,
        Map<String, String> memo,
        boolean reported)
        implements Writable {

    private static final ChildStart PLAIN = new ChildStart(null, null, IdPolicy.REJECT, Map.of(), false);

    /** Returns true if these are the plain settings. */
    public boolean isPlain() {
        return equals(PLAIN);
    }

    /** Returns these settings for a child that starts at {@code instant}. */
    public ChildStart at(Instant instant) {
        return new ChildStart(instant, timeout, idPolicy, memo, reported);
    }

    static ChildStart read(EventReader in) {
        return new ChildStart(
                in.optional(EventReader::instant),
                in.optional(EventReader::duration),
                IdPolicy.of(in.count()),
                in.memo(),
                in.number() != 0);
    }

    @Override
    public void write(EventWriter out) {
        out.optional(startAt);
        out.number(timeout == null ? 0 : 1);
        if (timeout != null) {
            out.duration(timeout);
        }
        out.number(idPolicy.ordinal());
        out.memo(memo);
        out.number(reported ? 1 : 0);
    }
}
