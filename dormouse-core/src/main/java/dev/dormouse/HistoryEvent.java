package dev.dormouse;

import dev.dormouse.internal.history.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * One event of a run's history. Immutable.
 *
 * @param seq the position in the history, from 0
 * @param at the time of the event, by the store's clock
 * @param kind the kind of event, such as {@code StepCompleted}, or the kind passed to {@link Workflow#mark}
 * @param summary a short description
 */
public record HistoryEvent(int seq, Instant at, String kind, String summary) {

    /** Converts stored events to the form that {@link WorkflowHandle#history} returns. */
    public static List<HistoryEvent> of(List<Event> events) {
        List<HistoryEvent> list = new ArrayList<>(events.size());
        for (Event event : events) {
            list.add(new HistoryEvent(list.size(), event.at(), kind(event), event.summary()));
        }
        return list;
    }

    private static String kind(Event event) {
        return event instanceof Event.Marked mark
                ? mark.name()
                : event.getClass().getSimpleName();
    }
}
