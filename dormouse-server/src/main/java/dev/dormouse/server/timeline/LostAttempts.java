package dev.dormouse.server.timeline;

import dev.dormouse.internal.history.Event;
import dev.dormouse.server.timeline.Timeline.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of steps that ended with the death of their node. Starting an attempt records nothing, so they are derived:
 * the steps that the next node starts first, before the next event, were in flight on the node that died. Their attempts are
 * drawn from the event before the takeover to the end of the lease. Used by one thread.
 */
final class LostAttempts {
    private final List<Event.TakenOver> takeovers = new ArrayList<>();
    private Instant since = Instant.MIN;
    private @Nullable Instant next;

    /**
     * Notes an event of the history.
     *
     * @param before the time of the event before it
     */
    void add(Event event, Instant before) {
        if (event instanceof Event.TakenOver over) {
            if (takeovers.isEmpty() || next != null) {
                takeovers.clear();
                since = before;
                next = null;
            }
            takeovers.add(over);
        } else if (!takeovers.isEmpty() && next == null) {
            next = event.at();
        }
    }

    /**
     * Adds the lost attempts of a step, if there are any. Returns their number.
     *
     * @param startedAt when the first attempt that did not get lost began
     */
    int show(RowBuilder step, Instant startedAt) {
        if (takeovers.isEmpty() || next == null) {
            return 0;
        }
        Event.TakenOver last = takeovers.get(takeovers.size() - 1);
        if (startedAt.isBefore(last.takenAt()) || !startedAt.isBefore(next)) {
            return 0;
        }
        Instant from = since;
        int attempt = 0;
        for (Event.TakenOver over : takeovers) {
            if (over.lostAt().isAfter(from)) {
                step.bar(from, over.lostAt(), State.failed, ++attempt, "its node died");
            }
            from = over.takenAt();
        }
        return attempt;
    }
}
