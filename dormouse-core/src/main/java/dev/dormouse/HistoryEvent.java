package dev.dormouse;

import dev.dormouse.history.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * One event of a run's history.
 *
 * @param seq counts from 0
 * @param at by the store's clock
 * @param kind such as {@code StepCompleted}, or what {@link Workflow#mark} was given
 * @param summary the event in a few words
 */
public record HistoryEvent(int seq, Instant at, String kind, String summary) {

    /** As {@link WorkflowHandle#history} shows them. */
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
